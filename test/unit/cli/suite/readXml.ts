export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads the root element of an XML document of elements, attributes and text; throws where it is not well-formed. */
export function readXml(xml: string): XmlElement {
  const tokens = /<\?xml [^?]*\?>|<\/([\w-]+)\s*>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  const open: XmlElement[] = [{ name: '', attributes: {}, children: [], text: '' }];
  while (tokens.lastIndex < xml.length) {
    const at = tokens.lastIndex;
    const match = tokens.exec(xml);
    const top = open.at(-1);
    if (match === null || top === undefined) {
      throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 80)}`);
    }
    const [, closed, opened, attributes = '', isEmpty, text] = match;
    if (closed !== undefined && closed !== open.pop()?.name) {
      throw new Error(`${closed} is closed and was not open`);
    }
    if (opened !== undefined) {
      const element: XmlElement = { name: opened, attributes: readAttributes(attributes), children: [], text: '' };
      top.children.push(element);
      if (isEmpty === '') {
        open.push(element);
      }
    }
    if (text !== undefined) {
      if (text.includes(']]>')) {
        throw new Error(']]> in text');
      }
      top.text += decoded(text);
    }
  }
  const [root] = open[0]?.children ?? [];
  if (open.length !== 1 || root === undefined || open[0]?.children.length !== 1 || open[0].text.trim() !== '') {
    throw new Error('there must be one root');
  }
  return root;
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => {
    // As a parser normalises what is not escaped (XML 1.0, 3.3.3).
    return [name, decoded(value.replaceAll(/[\n\r\t]/g, ' '))] as const;
  });
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) {
    throw new Error('an attribute stands twice');
  }
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));|&/g, (whole, code: string | undefined, name: string | undefined) => {
    const character = code === undefined ? ENTITIES[name ?? ''] : String.fromCodePoint(Number(code));
    if (character === undefined) {
      throw new Error(`${whole} stands for nothing`);
    }
    return character;
  });
}
