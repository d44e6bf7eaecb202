/** Values for the `{name}` places of a template. */
export type TextArgs = Readonly<Record<string, string | number>>;

/** Replaces each `{name}` of `template` by its argument; an unknown name stays as it stands. Linear in the template. */
export function formatText(template: string, args: TextArgs = {}): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined ? place : String(value);
  });
}
