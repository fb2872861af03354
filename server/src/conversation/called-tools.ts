import type { Turn } from './conversation.ts';

/** The names of the tools that were called, by the ids of the calls: some vendors require the name with a result. */
export const calledTools = (turns: readonly Turn[]): ReadonlyMap<string, string> =>
  new Map(
    turns.flatMap((turn) =>
      turn.role === 'assistant'
        ? turn.parts.flatMap((part): [string, string][] => (part.kind === 'tool_call' ? [[part.id, part.name]] : []))
        : [],
    ),
  );
