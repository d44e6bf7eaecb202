import { noChange } from 'lit-html';
import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit-html/directive.js';

/** A part of the page that keeps state of its own and renders itself into its element. */
export interface Island<Props> {
  /** Called with each render of what it stands in. */
  update(props: Props): void;
}

class IslandDirective extends Directive {
  private island: Island<unknown> | undefined;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) {
      throw new Error('island() belongs on an element');
    }
  }

  render(_create: (element: HTMLElement) => Island<never>, _props: unknown): typeof noChange {
    return noChange;
  }

  override update(
    part: ElementPart,
    [create, props]: [(element: HTMLElement) => Island<never>, unknown],
  ): typeof noChange {
    // The element is ours and stands in a template of this page: `island` is put on HTML elements only.
    this.island ??= create(part.element as HTMLElement) as Island<unknown>;
    this.island.update(props);
    return noChange;
  }
}

const islandDirective = directive(IslandDirective);

/** `<div ${island(createTree, props)}></div>`: made once for its element, told of every render. */
export function island<Props>(create: (element: HTMLElement) => Island<Props>, props: Props) {
  return islandDirective(create as (element: HTMLElement) => Island<never>, props);
}
