import type {
  AssistantPart,
  Conversation,
  FilePart,
  ImagePart,
  Source,
  ToolTurn,
  Turn,
  UserPart,
} from './conversation.ts';

type Part = UserPart | AssistantPart | ToolTurn['parts'][number];

const partsOf = (turn: Turn): readonly Part[] => turn.parts;

/** Parts that may name their content by its address. */
const isNamed = <P extends Part>(part: P): part is Extract<P, ImagePart | FilePart> =>
  part.kind === 'image' || part.kind === 'file';

const addressOf = (part: Part): readonly string[] =>
  isNamed(part) && part.source.kind === 'url' ? [part.source.url] : [];

/** The addresses of all content that the client sent by address, each once. */
export const addressesIn = ({ turns }: Conversation): readonly string[] => [
  ...new Set(turns.flatMap((turn) => partsOf(turn).flatMap(addressOf))),
];

export type Content = Extract<Source, { kind: 'data' }>;

const withContent = <P extends ImagePart | FilePart>(part: P, contents: ReadonlyMap<string, Content>): P => {
  const content = part.source.kind === 'url' ? contents.get(part.source.url) : undefined;
  return content === undefined ? part : { ...part, source: content };
};

/** The conversation with these contents instead of their addresses. */
export const withContents = (conversation: Conversation, contents: ReadonlyMap<string, Content>): Conversation => {
  const turnOf = (turn: Turn): Turn => {
    switch (turn.role) {
      case 'system':
        return turn;
      case 'user':
        return { ...turn, parts: turn.parts.map((part) => (isNamed(part) ? withContent(part, contents) : part)) };
      case 'assistant':
        return { ...turn, parts: turn.parts.map((part) => (isNamed(part) ? withContent(part, contents) : part)) };
      case 'tool':
        return { ...turn, parts: turn.parts.map((part) => (isNamed(part) ? withContent(part, contents) : part)) };
    }
  };
  return { ...conversation, turns: conversation.turns.map(turnOf) };
};
