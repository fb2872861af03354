import { useQuery } from '@tanstack/react-query';
import type { Channel } from '@weir/contract/channels';
import { Section } from '../../../components/section.tsx';
import { formatTime } from '../../../lib/format/format.ts';
import { useT } from '../../../lib/hooks/use-t.ts';
import { m } from '../../../paraglide/messages.js';
import { healthLooks, seconds, stateOfTest } from './health-labels.ts';
import { recentTests } from './recent-tests.ts';

/** The latest tests from this browser, oldest first; hidden if there is none. */
export const HealthTests = ({ channel: { id, test_time: testedAt } }: { readonly channel: Channel }) => {
  const t = useT();
  // Another tab may have run some: read again after each test of the channel.
  const { data: tests = [] } = useQuery({
    queryKey: ['channel', id, 'tests', testedAt],
    queryFn: () => recentTests(id),
    staleTime: 0,
  });
  if (tests.length === 0) return null;
  return (
    <Section title={t(m.health_tests)}>
      <ol className="flex flex-wrap gap-1 p-4">
        {tests.map(({ at, ms }, index) => {
          const [sign, look] = healthLooks[stateOfTest(ms)];
          const time = formatTime(at);
          const words =
            ms === undefined ? t(m.health_test_failed, { time }) : t(m.health_test, { time, seconds: seconds(ms) });
          return (
            <li key={index}>
              <span
                data-tip={words}
                className={`flex size-8 items-center justify-center rounded-control text-12 ${look}`}
              >
                <span aria-hidden="true">{sign}</span>
                <span className="sr-only">{words}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
};
