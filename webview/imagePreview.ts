import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { DetailsStrings, ImageResult, ImageView } from '../src/protocol/details.ts';
import { escapeLine } from './escape.ts';
import { formatBytes } from './format.ts';
import { icon } from './icon.ts';
import type { Island } from './island.ts';
import { messageOf } from './rpc.ts';

export interface ImageProps {
  readonly seq: number;
  readonly image: ImageView;
  readonly strings: DetailsStrings;
  readonly load: (seq: number, pointer: string) => Promise<ImageResult | undefined>;
}

/**
 * A declared image, shown when a person asks for it. It is decoded from its bytes and drawn: no address is loaded, so the
 * content security policy allows no image of a server, and nothing in it can run.
 */
export function createImagePreview(element: HTMLElement): Island<ImageProps> {
  let props: ImageProps | undefined;
  let shown: { readonly bitmap: ImageBitmap } | { readonly refusal: string } | undefined;

  async function show(): Promise<void> {
    const asked = props;
    if (asked === undefined) {
      return;
    }
    const found = await decode(await asked.load(asked.seq, asked.image.pointer));
    if (props === asked || (props?.seq === asked.seq && props.image.pointer === asked.image.pointer)) {
      shown = found;
      draw();
    }
  }

  function toggle(): void {
    if (shown === undefined) {
      void show();
    } else {
      shown = undefined;
      draw();
    }
  }

  function draw(): void {
    if (props === undefined) {
      return;
    }
    render(imageView(props, shown, toggle), element);
    const canvas = element.querySelector('canvas');
    if (canvas !== null && shown !== undefined && 'bitmap' in shown) {
      canvas.width = shown.bitmap.width;
      canvas.height = shown.bitmap.height;
      canvas.getContext('2d')?.drawImage(shown.bitmap, 0, 0);
    }
  }

  return {
    update(next) {
      const isOther = props?.seq !== next.seq || props.image.pointer !== next.image.pointer;
      props = next;
      if (isOther) {
        shown = undefined;
        draw();
      }
    },
  };
}

async function decode(
  result: ImageResult | undefined,
): Promise<{ bitmap: ImageBitmap } | { refusal: string } | undefined> {
  if (result === undefined || 'refusal' in result) {
    return result;
  }
  try {
    const bytes = Uint8Array.from(atob(result.base64), (character) => character.charCodeAt(0));
    return { bitmap: await createImageBitmap(new Blob([bytes], { type: result.mimeType })) };
  } catch (error) {
    return { refusal: messageOf(error) };
  }
}

function imageView(
  { image, strings }: ImageProps,
  shown: { readonly bitmap: ImageBitmap } | { readonly refusal: string } | undefined,
  toggle: () => void,
): TemplateResult {
  const isShown = shown !== undefined && 'bitmap' in shown;
  return html`<div class="image-head">
      <button type="button" class="link" aria-expanded=${isShown} @click=${toggle}>
        ${icon('file-media')}${isShown ? strings.hideImage : strings.showImage}
      </button>
      <span class="image-facts">${[image.mimeType, formatBytes(image.bytes)].map(escapeLine).join(' · ')}</span>
    </div>
    ${shown !== undefined && 'refusal' in shown ? html`<p class="image-refusal">${icon('warning')}${shown.refusal}</p>` : nothing}
    ${isShown ? html`<canvas class="image-canvas" role="img" aria-label=${escapeLine(image.pointer)}></canvas>` : nothing}`;
}
