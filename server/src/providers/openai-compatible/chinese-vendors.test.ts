import { expect } from 'vitest';
import { baiduEvent, baiduFailures, baiduFixtures } from '../../../test/provider-suite/baidu-fixtures.ts';
import { chatClient } from '../../../test/clients/chat-client.ts';
import {
  aliFailureEvent,
  aliFailures,
  aliFixtures,
  aliForm,
  aliMultimodalFixtures,
  aliPlugin,
} from '../../../test/fakes/vendors/fake-ali.ts';
import { createFakeBaidu } from '../../../test/fakes/vendors/fake-baidu.ts';
import { sparkFailureFrame, startFakeSpark } from '../../../test/fakes/vendors/fake-spark.ts';
import {
  tencentFailureEvent,
  tencentFailures,
  tencentFixtures,
  tencentForm,
  tencentKey,
} from '../../../test/fakes/vendors/fake-tencent.ts';
import { type ProviderCase, testProviders } from '../../../test/provider-suite/provider-suite.ts';
import { sparkFailures, sparkFixtures, sparkLiteFixtures } from '../../../test/provider-suite/spark-fixtures.ts';

const wenxin = createFakeBaidu();

const baidu: ProviderCase = {
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

const ali: ProviderCase = {
  type: 17,
  name: 'Alibaba Tongyi, DashScope',
  upstream: { form: aliForm },
  channel: { other: aliPlugin },
  model: 'qwen-plus',
  fixtures: aliFixtures,
  failures: aliFailures,
  failureEvents: [aliFailureEvent],
};

const aliMultimodal: ProviderCase = {
  ...ali,
  name: 'Alibaba Tongyi, DashScope for pictures',
  model: 'qwen-vl-max',
  fixtures: aliMultimodalFixtures,
  failures: [],
};

const spark: ProviderCase = {
  type: 18,
  name: 'iFlytek Spark over its socket',
  upstream: startFakeSpark,
  model: 'Spark-Max',
  fixtures: sparkFixtures,
  failures: sparkFailures,
  failureEvents: [sparkFailureFrame(10_012, 'the engine fell over')],
};

const sparkLite: ProviderCase = {
  ...spark,
  name: 'iFlytek Spark Lite, by the version of the channel',
  channel: { other: 'v1.1' },
  model: 'SparkDesk',
  fixtures: sparkLiteFixtures,
  failures: [],
};

const tencent: ProviderCase = {
  type: 23,
  name: 'Tencent Hunyuan',
  upstream: { form: tencentForm, key: tencentKey },
  model: 'hunyuan-turbos-latest',
  fixtures: tencentFixtures,
  failures: tencentFailures,
  failureEvents: [tencentFailureEvent],
  optionalEnd: 1,
};

testProviders([baidu, ali, aliMultimodal, spark, sparkLite, tencent]);
