import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { jsonProblem } from '../../lib/format/json-problem.ts';
import type { JsonProblem } from '../../lib/format/json-problem.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Message, Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../button.tsx';
import { Field } from './field.tsx';
import { NumberedLines } from './numbered-lines.tsx';

interface JsonFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Error found on submit; the field's own error is more exact and takes precedence. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly actions?: ReactNode;
  /** Content at the right end of the label's line. */
  readonly aside?: ReactNode;
  /** Lines shown; absent: 6. */
  readonly rows?: number;
  readonly readOnly?: boolean;
}

const restMs = 400;

const expectations: Record<JsonProblem['expected'], Message> = {
  value: m.json_value,
  comma: m.json_comma,
  colon: m.json_colon,
  name: m.json_name,
  end: m.json_end,
  quote: m.json_quote,
};

const textOf = (t: Translate, { line, column, expected }: JsonProblem): string =>
  t(m.json_error_at, { line, column, expected: t(expectations[expected]) });

/** JSON as text: shows the position of an error 400 ms after the last key, formats on demand. Empty is allowed. */
export const JsonField = ({
  label,
  hint,
  value,
  onChange,
  error,
  placeholder,
  actions,
  aside,
  rows = 6,
  readOnly = false,
}: JsonFieldProps) => {
  const t = useT();
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setSettled, restMs, value);
    return () => clearTimeout(timer);
  }, [value]);
  const problem = settled === value && value.trim() !== '' ? jsonProblem(value) : undefined;
  const format = (): void => {
    if (value.trim() !== '' && jsonProblem(value) === undefined) onChange(JSON.stringify(JSON.parse(value), null, 2));
  };
  return (
    <Field label={label} hint={hint} aside={aside} error={problem ? textOf(t, problem) : error}>
      {(control) => (
        <>
          <NumberedLines
            {...control}
            value={value}
            placeholder={placeholder}
            rows={rows}
            readOnly={readOnly}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className="flex gap-2">
            {!readOnly && (
              <Button size="h-7 px-2.5 text-13 pointer-coarse:h-10" onClick={format}>
                {t(m.json_format)}
              </Button>
            )}
            {actions}
          </span>
        </>
      )}
    </Field>
  );
};
