import { Button } from '../../components/button.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Select } from '../../components/form/select.tsx';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';

interface ModelPickerProps {
  /** The models that the key may call. */
  readonly offered: readonly string[];
  readonly models: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (models: readonly string[]) => void;
  readonly onDrop: (column: number) => void;
}

const modelsMax = 4;

/** The models that answer, one to four. */
export const ModelPicker = ({ offered, models, disabled, onChange, onDrop }: ModelPickerProps) => {
  const t = useT();
  const put = (column: number, model: string): void =>
    onChange(models.map((each, index) => (index === column ? model : each)));
  const next = offered.find((model) => !models.includes(model)) ?? offered[0];
  return (
    <div className="flex flex-wrap items-center gap-2">
      {models.map((model, column) => (
        <span key={`${column} ${model}`} className="flex items-center">
          <Select
            aria-label={t(m.play_model, { number: column + 1 })}
            value={model}
            disabled={disabled}
            choices={[...new Set([model, ...offered])].map((each) => [each, each] as const)}
            onPick={(picked) => put(column, picked)}
            className="max-w-56"
          />
          {models.length > 1 && (
            <IconButton
              icon="close"
              label={t(m.remove_named, { name: model })}
              disabled={disabled}
              onClick={() => onDrop(column)}
            />
          )}
        </span>
      ))}
      {models.length < modelsMax && next !== undefined && (
        <Button icon="plus" disabled={disabled} onClick={() => onChange([...models, next])}>
          {t(m.play_compare)}
        </Button>
      )}
    </div>
  );
};
