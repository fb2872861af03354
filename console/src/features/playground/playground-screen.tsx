import { useQuery } from '@tanstack/react-query';
import type { Token } from '@weir/contract/tokens';
import { Suspense, lazy, useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Failure } from '../../components/failure.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { firstModel } from '../../lib/first-model.ts';
import { splitList } from '../../lib/format/format.ts';
import { useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerCard } from './answer-card.tsx';
import { Composer } from './composer.tsx';
import { messagesFor } from './conversation.ts';
import type { Turn } from './conversation.ts';
import { ModelPicker } from './model-picker.tsx';
import { playgroundSearch } from './playground-search.ts';
import { keysQuery, modelsQuery } from './queries.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { bodyOf, usualSettings } from './settings.ts';
import { useConversation } from './use-conversation.ts';
import type { Conversation } from './use-conversation.ts';

const CodeSheet = lazy(async () => ({ default: (await import('./code-sheet.tsx')).CodeSheet }));

/** `/playground`: calls the own models with one of the own tokens, side by side. */
export const PlaygroundScreen = () => {
  const t = useT();
  const keys = useQuery(keysQuery);
  const models = useQuery(modelsQuery);
  if (keys.data && models.data) return <Loaded keys={keys.data} offered={models.data} />;
  const error = keys.error ?? models.error;
  const retry = (): void => void Promise.all([keys.refetch(), models.refetch()]);
  return (
    <>
      <PageHead title={t(m.play_title)} />
      {error ? <Failure error={error} onRetry={retry} /> : <div className="h-96" aria-busy="true" />}
    </>
  );
};

interface LoadedProps {
  readonly keys: readonly Token[];
  readonly offered: readonly string[];
}

const Loaded = ({ keys, offered }: LoadedProps) => {
  const t = useT();
  const [firstKey] = keys;
  const usualModel = firstModel(offered);
  if (firstKey !== undefined && usualModel !== undefined) {
    return <Playground keys={keys} usualKey={firstKey} offered={offered} usualModel={usualModel} />;
  }
  return (
    <>
      <PageHead title={t(m.play_title)} />
      {firstKey === undefined ? (
        <Empty icon="key" title={t(m.play_no_key)} text={t(m.play_no_key_text)}>
          <a className={buttonClass('primary')} href="/token/add">
            {t(m.token_create)}
          </a>
        </Empty>
      ) : (
        <Empty icon="tag" title={t(m.price_empty_title)} text={t(m.price_empty_text)} />
      )}
    </>
  );
};

interface PlaygroundProps extends LoadedProps {
  readonly usualKey: Token;
  readonly usualModel: string;
}

const Playground = ({ keys, usualKey, offered, usualModel }: PlaygroundProps) => {
  const t = useT();
  const [search, patch] = useSearchState(playgroundSearch);
  const [settings, setSettings] = useState(usualSettings);
  const [prompt, setPrompt] = useState('');
  const token = keys.find(({ id }) => id === settings.keyId) ?? usualKey;
  const allowed = splitList(token.models);
  const chosen = splitList(search.models);
  const models = chosen.length > 0 ? chosen : [firstModel(allowed) ?? usualModel];
  const choose = (next: readonly string[]): void => patch({ models: next.join(',') });
  const conversation = useConversation({ key: `sk-${token.key}`, models, settings });
  const { turns, running } = conversation;
  return (
    <>
      <PageHead title={t(m.play_title)}>
        <Button icon="trash" disabled={running || turns.length === 0} onClick={conversation.clear}>
          {t(m.play_clear)}
        </Button>
      </PageHead>
      <div className="grid flex-1 grid-cols-[16rem_minmax(0,1fr)] gap-6 max-lg:grid-cols-1 max-lg:grid-rows-[auto_1fr]">
        <SettingsPanel
          keys={keys}
          settings={settings}
          onChange={(changes) => setSettings({ ...settings, ...changes })}
        />
        <div className="flex min-w-0 flex-col gap-4">
          <ModelPicker
            offered={allowed.length > 0 ? allowed : offered}
            models={models}
            disabled={running}
            onChange={choose}
            onDrop={(column) => {
              conversation.dropColumn(column);
              choose(models.filter((_, index) => index !== column));
            }}
          />
          <Turns conversation={conversation} settings={settings} onEdit={() => setPrompt(conversation.takeBack())} />
          <p role="status" className="sr-only">
            {turns.length > 0 && !running && t(m.play_ready)}
          </p>
          <Composer
            prompt={prompt}
            onType={setPrompt}
            running={running}
            onSend={() => {
              conversation.send(prompt);
              setPrompt('');
            }}
            onStop={conversation.stop}
          />
        </div>
      </div>
    </>
  );
};

interface TurnsProps {
  readonly conversation: Conversation;
  readonly settings: typeof usualSettings;
  readonly onEdit: () => void;
}

const Turns = ({ conversation, settings, onEdit }: TurnsProps) => {
  const t = useT();
  const { turns, running, again } = conversation;
  const [code, setCode] = useState<{ readonly turn: number; readonly column: number }>();
  if (turns.length === 0) {
    return (
      <div className="flex-1">
        <Empty icon="flask" title={t(m.play_empty)} text={t(m.play_empty_text)} />
      </div>
    );
  }
  const shown = turns.findIndex(({ id }) => id === code?.turn);
  return (
    <div className="flex flex-1 flex-col gap-6">
      {turns.map((turn, index) => {
        const last = index === turns.length - 1 && !running;
        return (
          <section key={turn.id} aria-label={t(m.play_turn, { number: index + 1 })} className="flex flex-col gap-3">
            <Prompt prompt={turn.prompt} onEdit={last ? onEdit : undefined} />
            <div className="grid auto-cols-fr gap-3 md:grid-flow-col">
              {turn.answers.map((answer, column) => (
                <AnswerCard
                  key={`${column} ${answer.model}`}
                  answer={answer}
                  onAgain={last ? () => again(column) : undefined}
                  onCode={() => setCode({ turn: turn.id, column })}
                />
              ))}
            </div>
          </section>
        );
      })}
      {code && (
        <Code turns={turns} index={shown} column={code.column} settings={settings} onClose={() => setCode(undefined)} />
      )}
    </div>
  );
};

const Prompt = ({ prompt, onEdit }: { readonly prompt: string; readonly onEdit: (() => void) | undefined }) => {
  const t = useT();
  return (
    <div className="flex items-start gap-1 self-end rounded-card bg-raised py-1 pr-1 pl-3">
      <p className="py-1 wrap-anywhere whitespace-pre-wrap">{prompt}</p>
      {onEdit && <IconButton icon="edit" label={t(m.play_edit)} onClick={onEdit} />}
    </div>
  );
};

interface CodeProps extends Pick<TurnsProps, 'settings'> {
  readonly turns: readonly Turn[];
  readonly index: number;
  readonly column: number;
  readonly onClose: () => void;
}

const Code = ({ turns, index, column, settings, onClose }: CodeProps) => {
  const turn = turns[index];
  const answer = turn?.answers[column];
  if (turn === undefined || answer === undefined) return null;
  const messages = messagesFor(turns.slice(0, index), column, { system: settings.system, prompt: turn.prompt });
  return (
    <Suspense>
      <CodeSheet body={bodyOf(settings, answer.model, messages)} answer={answer} onClose={onClose} />
    </Suspense>
  );
};
