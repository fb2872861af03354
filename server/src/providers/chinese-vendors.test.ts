import { expect } from 'vitest';
import { baiduEvent, baiduFailures, baiduFixtures } from '../../test/baidu-fixtures.ts';
import { chatClient } from '../../test/chat-client.ts';
import { createFakeBaidu } from '../../test/fake-baidu.ts';
import { type ProviderCase, testProviders } from '../../test/provider-suite.ts';

const wenxin = createFakeBaidu();
const baiduCase: ProviderCase = {
  type: 15,
  name: 'Baidu Wenxin, older API',
  upstream: { form: wenxin.form, key: wenxin.key },
  model: 'ERNIE-3.5-8K',
  fixtures: baiduFixtures,
  failures: baiduFailures,
  failureEvents: [baiduEvent({ error_code: 336_100, error_msg: 'try again' })],
  also: [
    {
      title: 'keeps the token of its key, and takes a new one when it has run out',
      run: async ({ ask, answer }) => {
        answer(baiduFixtures.text);
        const before = wenxin.given();
        for (const stream of [false, true]) {
          wenxin.expire();
          expect((await ask({ client: chatClient, kind: 'text', stream })).status).toBe(200);
        }
        expect((await ask({ client: chatClient, kind: 'text', stream: false })).status).toBe(200);
        expect(wenxin.given()).toBe(before + 2);
      },
    },
  ],
};

testProviders([baiduCase]);
