import type { BodyChanges } from '../../conversation/body-changes.ts';
import type { RequestHead, FormReader, Inbound, ReadFault } from '../dialect.ts';
import { boundaryOf, FormScan, formTypeOf } from './form-scan.ts';
import { fault, modelOf } from './member-scan.ts';
import { type Edit, splice } from './splice.ts';

/** What of a form's request the fields decide. */
export type FormFacts = Pick<Inbound, 'model' | 'outputLimit'> & Partial<Pick<Inbound, 'metered' | 'audioInput'>>;

/** How an endpoint reads forms. */
export interface FormRules {
  readonly wanted: ReadonlySet<string>;
  /** Fields one of which must be a file. */
  readonly files: readonly string[];
  /** The model where the form names none; absent: it must name one. */
  readonly defaultModel?: string;
  /** The call may start when its model is known and its file begins: no other field is needed first. */
  readonly beginsEarly?: true;
  facts(model: string, field: (name: string) => string | undefined): FormFacts | ReadFault;
}

interface Form {
  readonly boundary: string;
  readonly scan: FormScan;
}

/** Replaces the model of the form, or adds it as the first part. */
const modelEdit = ({ boundary, scan }: Form, model: string): Edit => {
  const given = scan.fields.get('model');
  if (given !== undefined) return { start: given.start, end: given.end, text: model };
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n`;
  return { start: 0, end: 0, text: part };
};

const readForm = (form: Form, rules: FormRules, head: Buffer): Inbound | ReadFault => {
  const { fields } = form.scan;
  const given = fields.get('model')?.value ?? '';
  const model = modelOf(given === '' ? rules.defaultModel : given);
  if (typeof model !== 'string') return model;
  const facts = rules.facts(model, (name) => fields.get(name)?.value);
  if ('kind' in facts) return facts;
  return {
    kind: 'inbound',
    ...facts,
    // The type of the answer decides whether it is a stream: the field may follow the file.
    stream: false,
    includeUsage: true,
    choices: 1,
    hasSystem: () => false,
    promptBytes: 0,
    bytes: head,
    contentType: formTypeOf(form.boundary),
    edit: (changes: BodyChanges) => {
      const wanted = changes.model ?? (given === '' ? model : undefined);
      return wanted === undefined ? head : splice(head, [modelEdit(form, wanted)]);
    },
    countable: () => Buffer.from('{"prompt":[]}'),
  };
};

/** A reader for one form; a fault if the body is not a form. */
export const formReader = (
  rules: FormRules,
  { contentType }: Pick<RequestHead, 'contentType'>,
): FormReader | ReadFault => {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return fault('invalid_text_request', 'the body must be multipart/form-data with a boundary');
  const scan = new FormScan(boundary, rules.wanted);
  return {
    kind: 'form',
    push: (chunk) => {
      const wrong = scan.push(chunk);
      return wrong === null ? null : fault('invalid_text_request', wrong);
    },
    ready: () => rules.beginsEarly === true && scan.fields.has('model') && scan.files.size > 0,
    end: () => {
      if (!scan.ended()) return fault('invalid_text_request', 'the form is not complete');
      const has = rules.files.some((name) => scan.files.has(name));
      return has ? null : fault('invalid_text_request', `field ${rules.files[0]} is required`);
    },
    read: (head) => readForm({ boundary, scan }, rules, head),
  };
};

/** Reads a complete form. Never throws. */
export const readWholeForm = (rules: FormRules, bytes: Buffer, head: RequestHead): Inbound | ReadFault => {
  const reader = formReader(rules, head);
  if (reader.kind === 'fault') return reader;
  return reader.push(bytes) ?? reader.end() ?? reader.read(bytes);
};
