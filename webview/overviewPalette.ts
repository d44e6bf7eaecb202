import { OUTCOMES, toneOf } from './outcomes.ts';

/** Colours of the theme as a canvas takes them. */
export interface Palette {
  readonly tone: (outcome: string | undefined) => string;
  readonly foreground: string;
  readonly dim: string;
  readonly background: string;
  readonly focus: string;
  /** The system's few colours are all there is: failures must differ by shape. */
  readonly isForced: boolean;
  /** A high contrast theme: nothing may be faint. */
  readonly isHighContrast: boolean;
}

export interface PaletteReader {
  /** The colours of the present theme; another object after a change of theme. */
  read(): Palette;
  dispose(): void;
}

/**
 * Reads the theme's colours from an element that bears the page's own classes, since a canvas knows no variables. VS Code
 * changes the theme under an open page; `onDidChange` is called then.
 */
export function createPaletteReader(onDidChange: () => void): PaletteReader {
  let palette: Palette | undefined;
  const forced = matchMedia('(forced-colors: active)');
  const forget = () => {
    palette = undefined;
    onDidChange();
  };
  const observer = new MutationObserver(forget);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  forced.addEventListener('change', forget);

  function readNow(): Palette {
    const probe = document.createElement('span');
    probe.className = 'probe';
    document.body.append(probe);
    const style = getComputedStyle(probe);
    const colorOf = (className: string) => {
      probe.className = `probe ${className}`;
      return style.color;
    };
    const tones = new Map(OUTCOMES.map((kind) => [kind as string, colorOf(toneOf(kind))]));
    const dim = colorOf('probe-dim');
    const read = {
      tone: (outcome: string | undefined) => (outcome === undefined ? dim : (tones.get(outcome) ?? dim)),
      dim,
      foreground: colorOf('probe-foreground'),
      background: colorOf('probe-background'),
      focus: colorOf('probe-focus'),
      isForced: forced.matches,
      isHighContrast: document.body.classList.contains('vscode-high-contrast'),
    };
    probe.remove();
    return read;
  }

  return {
    read() {
      palette ??= readNow();
      return palette;
    },
    dispose() {
      observer.disconnect();
      forced.removeEventListener('change', forget);
    },
  };
}
