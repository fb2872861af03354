import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formParts } from '../../../test/fakes/form-parts.ts';
import { boundaryOf, FormScan, formTypeOf } from './form-scan.ts';

const wanted = new Set(['model', 'language']);

/** The result of a scan of a body in pieces of these sizes, repeated. */
const scan = (body: Buffer, sizes: readonly number[] = [body.length || 1]) => {
  const form = new FormScan('bXb', wanted);
  let fault: string | null = null;
  for (let at = 0, turn = 0; at < body.length && fault === null; turn++) {
    const next = at + (sizes[turn % sizes.length] ?? 1);
    fault = form.push(body.subarray(at, next));
    at = next;
  }
  const { fields, files } = form;
  const values: Record<string, string> = {};
  for (const [name, { value }] of fields) values[name] = value;
  const slices = [...fields.values()].map(({ start, end }) => body.toString('utf8', start, end));
  return { fault, ended: form.ended(), fields: values, slices, files: [...files] };
};

const part = (head: string, content: string) => `--bXb\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string) => part(`Content-Disposition: form-data; name="${name}"`, content);
const file = (content: string) =>
  part('content-disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg', content);
const whole = (...parts: string[]) => Buffer.from(`${parts.join('')}--bXb--\r\n`);

test('RELAY-02 a form is read alike wherever its bytes are cut, and as another reader reads it', () => {
  const content = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'b', 'X', '水'), maxLength: 12 });
  const safe = content.filter((text) => !text.includes('bXb'));
  const run = (model: string, recording: string, sizes: readonly number[]) => {
    const body = whole(field('language', 'en'), file(recording), field('other', 'x'), field('model', model));
    const found = scan(body, sizes);
    expect(found).toMatchObject({ fault: null, ended: true, fields: { language: 'en', model }, files: ['file'] });
    expect(found.slices).toEqual(['en', model]);
    const read = formParts(body, 'multipart/form-data; boundary=bXb');
    expect(read.find(({ name }) => name === 'model')?.content.toString()).toBe(model);
  };
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(fc.property(safe, safe, sizes, run), { numRuns: 60 });
});

const refused: readonly (readonly [string, Buffer])[] = [
  ['a field twice', whole(field('model', 'a'), field('model', 'b'))],
  ['a field that is a file', whole(part('Content-Disposition: form-data; name="model"; filename="m"', 'a'))],
  [
    'a field in another encoding',
    whole(part('Content-Disposition: form-data; name="model"\r\nContent-Transfer-Encoding: base64', 'YQ==')),
  ],
  ['a name without quotes', whole(part('Content-Disposition: form-data; name=model', 'a'))],
  ['two names', whole(part('Content-Disposition: form-data; name="x"; name="model"', 'a'))],
  [
    'two dispositions',
    whole(part('Content-Disposition: form-data; name="x"\r\nContent-Disposition: form-data; name="model"', 'a')),
  ],
  ['a folded line', whole(part('Content-Disposition: form-data;\r\n name="model"', 'a'))],
  ['a part without a head', whole('--bXb\r\n\r\nmodel\r\n')],
  ['something in front', Buffer.concat([Buffer.from('x\r\n'), whole(field('model', 'a'))])],
  ['a boundary that goes on', Buffer.from(`${field('model', 'a')}--bXbx\r\n`)],
  ['a field that is too long', whole(field('model', 'a'.repeat(70_000)))],
  ['a head that is too long', whole(part(`x-a: ${'a'.repeat(9000)}`, 'a'))],
  ['a second form behind its end', Buffer.concat([whole(field('model', 'a')), whole(field('model', 'b'))])],
  ['too many parts', whole(...Array.from({ length: 1001 }, () => field('x', 'a')))],
  ['lines without returns', Buffer.from(whole(field('model', 'a')).toString().replaceAll('\r\n', '\n'))],
];
for (const [name, body] of refused) {
  test(`RELAY-02 a form with ${name} is refused, in one piece and byte by byte`, () => {
    expect(scan(body).fault).not.toBeNull();
    expect(scan(body, [1]).fault).toBe(scan(body).fault);
  });
}

test('RELAY-02 a form without its end has none', () => {
  const body = whole(field('model', 'a'));
  for (let length = 0; length < body.length - 2; length++) expect(scan(body.subarray(0, length)).ended).toBe(false);
});

test('RELAY-02 boundaries are read as clients write them', () => {
  expect(boundaryOf('multipart/form-data; boundary=----x7')).toBe('----x7');
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe('a b');
  for (const wrong of [
    'application/json',
    'multipart/form-data',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary="x ',
    'multipart/form-data; boundary=x boundary=y',
  ])
    expect(boundaryOf(wrong)).toBeNull();
});

test('S6 a type that names more than one boundary, or one in extended notation, is no form', () => {
  for (const parameters of [
    'boundary=x; boundary=y',
    'boundary=x; Boundary=y',
    "boundary=x; boundary*=utf-8''y",
    'boundary*0=x; boundary*1=y',
    'boundary="x"; charset=utf-8; boundary=x',
    'boundary=x, multipart/form-data; boundary=y',
  ])
    expect(boundaryOf(`multipart/form-data; ${parameters}`), parameters).toBeNull();
});

test('S6 the upstream gets a type with the boundary alone, quoted where it must be', () => {
  for (const boundary of ['----x7', 'a b', "it's(1)"])
    expect(boundaryOf(`${formTypeOf(boundary)}`), boundary).toBe(boundary);
  expect(formTypeOf('----x7')).toBe('multipart/form-data; boundary=----x7');
  expect(formTypeOf('a b')).toBe('multipart/form-data; boundary="a b"');
});
