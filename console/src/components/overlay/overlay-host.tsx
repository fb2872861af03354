import { createRoot } from 'react-dom/client';
import { createStore, useStore } from '../../lib/store.ts';
import { AskDialog } from './ask-dialog.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { MenuPopup } from './menu-popup.tsx';
import type { Confirmation, MenuRequest, Question } from './overlays.ts';

interface OpenMenu {
  readonly id: number;
  readonly anchor: HTMLElement;
  readonly request: MenuRequest;
}
interface OpenConfirmation {
  readonly id: number;
  readonly confirmation: Confirmation;
  readonly answer: (goAhead: boolean) => void;
}

interface OpenQuestion {
  readonly id: number;
  readonly question: Question;
  readonly answer: (text: string | undefined) => void;
}

const menus = createStore<OpenMenu | undefined>(undefined);
const confirmations = createStore<OpenConfirmation | undefined>(undefined);
const questions = createStore<OpenQuestion | undefined>(undefined);
let lastId = 0;
let mounted = false;

const Host = () => {
  const menu = useStore(menus);
  const confirmation = useStore(confirmations);
  const question = useStore(questions);
  return (
    <>
      {menu && (
        <MenuPopup
          key={menu.id}
          anchor={menu.anchor}
          request={menu.request}
          onClosed={() => menus.get() === menu && menus.set(undefined)}
        />
      )}
      {confirmation && (
        <ConfirmDialog
          key={confirmation.id}
          confirmation={confirmation.confirmation}
          onAnswer={confirmation.answer}
          onClosed={() => confirmations.get() === confirmation && confirmations.set(undefined)}
        />
      )}
      {question && (
        <AskDialog
          key={question.id}
          question={question.question}
          onAnswer={question.answer}
          onClosed={() => questions.get() === question && questions.set(undefined)}
        />
      )}
    </>
  );
};

const mount = (): void => {
  if (mounted) return;
  mounted = true;
  const container = document.createElement('div');
  document.body.append(container);
  createRoot(container).render(<Host />);
};

export const openMenu = (anchor: HTMLElement, request: MenuRequest): void => {
  mount();
  lastId += 1;
  menus.set({ id: lastId, anchor, request });
};

export const confirm = (confirmation: Confirmation): Promise<boolean> => {
  mount();
  lastId += 1;
  return new Promise((answer) => confirmations.set({ id: lastId, confirmation, answer }));
};

export const ask = (question: Question): Promise<string | undefined> => {
  mount();
  lastId += 1;
  return new Promise((answer) => questions.set({ id: lastId, question, answer }));
};
