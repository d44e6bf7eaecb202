import { noChange } from 'lit-html';
import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit-html/directive.js';

type Styles = Readonly<Record<string, string>>;

/**
 * Sets style properties through the CSSOM. The page's content security policy blocks `style` attributes, and with them
 * the first render of lit's own `styleMap`.
 */
class StyledDirective extends Directive {
  private previous: Styles = {};

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) {
      throw new Error('styled() belongs on an element');
    }
  }

  render(_styles: Styles): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [styles]: [Styles]): typeof noChange {
    if (part.element instanceof HTMLElement) {
      for (const [name, value] of Object.entries(styles)) {
        if (this.previous[name] !== value) {
          part.element.style.setProperty(name, value);
        }
      }
      this.previous = styles;
    }
    return noChange;
  }
}

/** `<div ${styled({ transform: 'translateY(24px)' })}>`: CSS property names or custom properties, always the same ones. */
export const styled = directive(StyledDirective);
