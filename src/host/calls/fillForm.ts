import * as vscode from 'vscode';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { say } from '../say.ts';
import { BOOLEANS, type Field, type Form, missingIn, type Option, readField } from './schemaForm.ts';

const { t } = vscode.l10n;

export interface FormRequest {
  readonly title: string;
  readonly form: Form;
  /** Values to begin with: what was entered last time. */
  readonly initial: JsonObject;
  /** The row that ends the form, such as "Call echo". */
  readonly send: string;
  /** Writes the values as JSON instead; absent where there is nothing but questions. */
  readonly asDocument?: (values: JsonObject) => Promise<JsonObject | undefined>;
}

/** Values by name, or `undefined` when the person gave up. */
export type FormAnswer = JsonObject | undefined;

/**
 * Asks for the values of a form: first what is required and not known yet, one after the other; then a list of all fields in
 * which any can be changed, and whose first row sends. A form without fields is sent at once.
 */
export async function fillForm(request: FormRequest): Promise<FormAnswer> {
  const { form, asDocument } = request;
  if (form.kind === 'document') {
    return asDocument?.(request.initial);
  }
  const { fields } = form;
  let values: JsonObject = { ...defaultsOf(fields), ...knownOf(fields, request.initial) };
  if (fields.length === 0) {
    return values;
  }
  const missing = missingIn(fields, values);
  for (const [index, field] of missing.entries()) {
    const answer = await askField(request.title, field, undefined, { number: index + 1, of: missing.length });
    if (answer === undefined) {
      return undefined;
    }
    values = withAnswer(values, field, answer);
  }
  for (;;) {
    const chosen = await overview(request, fields, values);
    if (chosen === undefined) {
      return undefined;
    }
    if (chosen === 'send') {
      return values;
    }
    if (chosen === 'document') {
      return asDocument?.(values);
    }
    const answer = await askField(request.title, chosen, values[chosen.name], undefined);
    values = answer === undefined ? values : withAnswer(values, chosen, answer);
  }
}

type Answer = { readonly value: JsonValue } | 'none';

async function overview(
  { title, send, asDocument }: FormRequest,
  fields: readonly Field[],
  values: JsonObject,
): Promise<'send' | 'document' | Field | undefined> {
  const rows = fields.map((field) => ({
    label: field.title,
    description: Object.hasOwn(values, field.name) ? JSON.stringify(values[field.name]) : t('(not set)'),
    detail: firstLine(field.description),
    choice: field,
  }));
  const chosen = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { choice: 'send' | 'document' | Field | undefined }
  >(
    [
      { label: `$(play) ${send}`, choice: 'send' },
      ...(asDocument === undefined ? [] : [{ label: `$(json) ${t('Edit as JSON')}`, choice: 'document' as const }]),
      { label: t('Arguments'), kind: vscode.QuickPickItemKind.Separator, choice: undefined },
      ...rows,
    ],
    { title, placeHolder: t('Send, or choose an argument to change it'), ignoreFocusOut: true },
  );
  return chosen?.choice;
}

/** Asks one question; `undefined` when the person gave up. */
async function askField(
  title: string,
  field: Field,
  current: JsonValue | undefined,
  step: { readonly number: number; readonly of: number } | undefined,
): Promise<Answer | undefined> {
  const heading = step === undefined || step.of < 2 ? title : t('{0} ({1} of {2})', title, step.number, step.of);
  switch (field.type.kind) {
    case 'text':
    case 'number':
      return askText(heading, field, current);
    case 'boolean':
      return askChoice(heading, field, BOOLEANS, current);
    case 'choice':
      return askChoice(heading, field, field.type.options, current);
    case 'choices':
      return askChoices(heading, field, field.type.options, current);
  }
}

async function askText(title: string, field: Field, current: JsonValue | undefined): Promise<Answer | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: promptOf(field),
    placeHolder: field.isRequired ? t('required') : t('optional'),
    value: current === undefined ? '' : typeof current === 'string' ? current : JSON.stringify(current),
    password: field.type.kind === 'text' && field.type.format === 'password',
    ignoreFocusOut: true,
    validateInput: (value) => {
      const answer = readField(field, value);
      return answer.kind === 'problem' ? say(answer.code, answer.args) : undefined;
    },
  });
  const answer = text === undefined ? undefined : readField(field, text);
  switch (answer?.kind) {
    case 'value':
      return { value: answer.value };
    case 'none':
      return 'none';
    default:
      return undefined;
  }
}

async function askChoice(
  title: string,
  field: Field,
  options: readonly Option[],
  current: JsonValue | undefined,
): Promise<Answer | undefined> {
  const items: (vscode.QuickPickItem & { value: JsonValue | undefined })[] = options.map(({ label, value }) => ({
    label,
    description: value === current ? t('as before') : '',
    value,
  }));
  const leaveOut = { label: `$(circle-slash) ${t('Leave out')}`, value: undefined };
  const chosen = await vscode.window.showQuickPick(field.isRequired ? items : [...items, leaveOut], {
    title,
    placeHolder: promptOf(field),
    ignoreFocusOut: true,
  });
  return chosen === undefined ? undefined : chosen.value === undefined ? 'none' : { value: chosen.value };
}

async function askChoices(
  title: string,
  field: Field,
  options: readonly Option[],
  current: JsonValue | undefined,
): Promise<Answer | undefined> {
  const before: readonly JsonValue[] = Array.isArray(current) ? current : [];
  const chosen = await vscode.window.showQuickPick(
    options.map(({ label, value }) => ({ label, value, picked: before.includes(value) })),
    { title, placeHolder: promptOf(field), canPickMany: true, ignoreFocusOut: true },
  );
  return chosen === undefined ? undefined : { value: chosen.map(({ value }) => value) };
}

function withAnswer(values: JsonObject, { name }: Field, answer: Answer): JsonObject {
  const { [name]: _, ...others } = values;
  return answer === 'none' ? others : { ...others, [name]: answer.value };
}

function defaultsOf(fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])),
  );
}

/** What is remembered under names that the schema still has. */
function knownOf(fields: readonly Field[], initial: JsonObject): JsonObject {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(initial).filter(([name]) => names.has(name)));
}

function promptOf({ title, description }: Field): string {
  const line = firstLine(description);
  return line === '' ? title : `${title}: ${line}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
