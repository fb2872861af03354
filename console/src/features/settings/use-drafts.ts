import { useQueryClient } from '@tanstack/react-query';
import { options } from '@weir/contract/options';
import type { OptionKey } from '@weir/contract/options';
import { role } from '@weir/contract/roles';
import { useState } from 'react';
import { confirm } from '../../components/overlay/overlays.ts';
import { useLeaveGuard } from '../../components/form/use-leave-guard.ts';
import { focusFirstInvalid } from '../../lib/hooks/focus-first-invalid.ts';
import { useUser } from '../../lib/api/session.ts';
import { loadStatus } from '../../lib/api/status.ts';
import { toast, toastFailure } from '../../lib/toasts.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useT } from '../../lib/hooks/use-t.ts';
import type { Translate } from '../../lib/hooks/use-t.ts';
import { m } from '../../paraglide/messages.js';
import { putOption, showOption } from './queries.ts';
import type { StoredOptions } from './queries.ts';
import { changeLines, laidOut, ratioChanges, readRatios } from './parts/ratios.ts';
import type { Settings } from './settings-context.ts';
import { entryOf } from './setting.ts';
import { settingProblem, settledText } from './setting-problem.ts';

type Texts = Partial<Record<OptionKey, string>>;
type Named = readonly [key: OptionKey, text: string];

const isSecret = (key: OptionKey): boolean => entryOf(key).secret === true;
const keysOf = (texts: Texts): OptionKey[] =>
  Object.keys(texts).filter((key): key is OptionKey => Object.hasOwn(options, key));
const without = (texts: Texts, keys: readonly OptionKey[]): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.some((each) => each === key)));

const linesMax = 200;

/** Shows the changes of a table of ratios; resolves to whether they were confirmed. */
const confirmRatios = (key: OptionKey, before: string, after: string): Promise<boolean> => {
  const [old, next] = [readRatios(before) ?? {}, readRatios(after) ?? {}];
  const { changed, added, removed } = ratioChanges(old, next);
  const counts = { changed: changed.length, added: added.length, removed: removed.length };
  return confirm({
    title: m.setting_ratios_confirm({ name: m.option_label({ key }) }),
    text: m.setting_ratios_diff(counts),
    verb: m.save(),
    list: changeLines(old, next).slice(0, linesMax),
  });
};

const confirmNoPassword = (): Promise<boolean> =>
  confirm({
    title: m.setting_password_off_title(),
    text: m.setting_password_off_text(),
    verb: m.setting_password_off_verb(),
    danger: true,
  });

const useFlip = (): Settings['flip'] => {
  const client = useQueryClient();
  const flip = async (key: OptionKey, on: boolean): Promise<void> => {
    if (key === 'PasswordLoginEnabled' && !on && !(await confirmNoPassword())) return;
    showOption(client, key, String(on));
    try {
      await putOption(client, key, String(on));
      toast('success', m.operation_done());
      offerUndo(`option:${key}`, () => void flip(key, !on));
      await loadStatus();
    } catch (error) {
      showOption(client, key, String(!on));
      toastFailure(error);
    }
  };
  return flip;
};

/** Sends texts one after the other and stops at the first refusal; resolves to the stored texts. */
const useSend = (stored: Settings['stored']) => {
  const client = useQueryClient();
  return async (texts: readonly Named[]): Promise<OptionKey[]> => {
    const done: OptionKey[] = [];
    try {
      for (const [key, text] of texts) {
        if (entryOf(key).kind === 'ratios' && !(await confirmRatios(key, stored(key), text))) break;
        await putOption(client, key, text, isSecret(key));
        done.push(key);
      }
    } catch (error) {
      toastFailure(error);
    }
    return done;
  };
};

/** The errors among texts that are to be saved. */
const problemsIn = (t: Translate, texts: readonly Named[]): Texts =>
  Object.fromEntries(
    texts.flatMap(([key, text]) => {
      const problem = settingProblem(t, key, text);
      return problem === undefined ? [] : [[key, problem]];
    }),
  );

/** The unsaved texts and their errors. */
const useTyped = (stored: Settings['stored']) => {
  const t = useT();
  const [typed, setTyped] = useState<Texts>({});
  const [problems, setProblems] = useState<Texts>({});
  const type = (key: OptionKey, text: string): void => {
    setTyped((before) => (text === stored(key) ? without(before, [key]) : { ...before, [key]: text }));
    setProblems((before) => without(before, [key]));
  };
  const leave = (key: OptionKey): void => {
    const draft = typed[key];
    if (draft === undefined) return;
    const settled = settledText(key, draft);
    if (settled !== draft) type(key, settled);
    setProblems((before) => ({ ...without(before, [key]), ...problemsIn(t, [[key, settled]]) }));
  };
  const forget = (keys: readonly OptionKey[]): void => {
    setTyped((before) => without(before, keys));
    setProblems((before) => without(before, keys));
  };
  return { typed, problems, setProblems, type, leave, forget };
};

/** The state and the actions of the settings page. */
export const useDrafts = ({ values, secretsSet }: StoredOptions): Settings => {
  const t = useT();
  const user = useUser();
  const stored = (key: OptionKey): string => {
    if (isSecret(key)) return '';
    const text = values[key] ?? '';
    return entryOf(key).kind === 'ratios' ? laidOut(text) : text;
  };
  const { typed, problems, setProblems, type, leave, forget } = useTyped(stored);
  const flip = useFlip();
  const send = useSend(stored);
  const unsaved = keysOf(typed);
  useLeaveGuard(unsaved.length > 0);

  const save = async (keys: readonly OptionKey[]): Promise<void> => {
    const texts = keys.flatMap((key): Named[] => {
      const text = typed[key];
      return text === undefined ? [] : [[key, settledText(key, text)]];
    });
    const wrong = problemsIn(t, texts);
    setProblems(wrong);
    const [first] = Object.values(wrong);
    if (first !== undefined) {
      toast('error', first);
      focusFirstInvalid();
      return;
    }
    const done = await send(texts);
    forget(done);
    if (done.length === 0) return;
    if (done.length === texts.length) toast('success', m.operation_done());
    await loadStatus();
  };
  return {
    readOnly: (user?.role ?? 0) < role.root,
    exists: (key) => entryOf(key).own !== true || values[key] !== undefined,
    stored,
    text: (key) => typed[key] ?? stored(key),
    isSecretSet: (key) => secretsSet?.includes(key),
    problem: (key) => problems[key],
    unsaved,
    type,
    leave,
    discard: () => forget(unsaved),
    save,
    flip,
  };
};
