// ioredis 4 and 5 against a served node: commands, scripts, pipelines, transactions, pub/sub,
// RESP errors, and what they do when the node's connections are reset.
'use strict';

const assert = require('assert');

for (const name of ['ioredis', 'ioredis-5']) {
  const Redis = require(name);
  describe(name, () => {
    let redis;
    const opened = [];
    const connect = (options) => {
      const client = new Redis({ port: 6379, ...options });
      client.on('error', () => {});  // of connections that are reset: it connects again
      opened.push(client);
      return client;
    };
    before(async () => {
      redis = connect({ connectionName: 'suite' });
      await redis.flushall();
    });
    after(() => opened.forEach((client) => client.disconnect()));

    it('takes a lock that another does not get', async () => {
      assert.strictEqual(await redis.set('jobs/1', 'mine', 'PX', 10000, 'NX'), 'OK');
      assert.strictEqual(await connect().set('jobs/1', 'theirs', 'PX', 10000, 'NX'), null);
    });
    it('releases it by a script of its own', async () => {
      redis.defineCommand('letGo', {
        numberOfKeys: 1,
        lua: "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end " +
          "return redis.call('del', KEYS[1])",
      });
      assert.strictEqual(await redis.letGo('jobs/1', 'theirs'), 0);
      assert.strictEqual(await redis.letGo('jobs/1', 'mine'), 1);
    });
    it('sends pipelines and transactions', async () => {
      const sent = await redis.pipeline().set('a', 1).incr('a').lpush('a', 'x').exec();
      assert.deepStrictEqual(sent.slice(0, 2), [[null, 'OK'], [null, 2]]);
      assert.match(sent[2][0].message, /^WRONGTYPE/);
      const done = await redis.multi().get('a').del('a').exec();
      assert.deepStrictEqual(done, [[null, '2'], [null, 1]]);
    });
    it('pipelines by itself', async () => {
      const quick = connect({ enableAutoPipelining: true });
      const answers = await Promise.all([...Array(500).keys()].map((i) => quick.incrby('sum', i)));
      assert.strictEqual(answers[499], 124750);
    });
    it('hears what is published, and goes on hearing it after a reset', async () => {
      const hearer = connect();
      await hearer.subscribe('news');
      const heard = (what) => new Promise((resolve) => {
        hearer.on('message', (channel, text) => text === what && resolve(channel));
      });
      const first = heard('first');
      assert.strictEqual(await redis.publish('news', 'first'), 1);
      assert.strictEqual(await first, 'news');
      const again = new Promise((resolve) => hearer.once('ready', resolve));
      await connect({ port: 7000, enableReadyCheck: false }).call('reset', 'n1');
      await again;
      const second = heard('second');
      while (await redis.publish('news', 'second') === 0);
      assert.strictEqual(await second, 'news');
    });
    it('scans, and reads sorted sets and hashes', async () => {
      await redis.flushall();
      await redis.mset(Object.fromEntries([...Array(100).keys()].map((i) => [`k${i}`, i])));
      let found = 0;
      for await (const keys of redis.scanStream({ match: 'k*', count: 10 })) found += keys.length;
      assert.strictEqual(found, 100);
      await redis.zadd('z', 1, 'a', 2.5, 'b');
      assert.deepStrictEqual(await redis.zrange('z', 0, -1, 'WITHSCORES'), ['a', '1', 'b', '2.5']);
      await redis.hset('h', { a: 1, b: 2 });
      assert.deepStrictEqual(await redis.hgetall('h'), { a: '1', b: '2' });
    });
    it('blocks until an element comes', async () => {
      const answer = connect().blpop('queue', 10);
      await redis.rpush('queue', 'x');
      assert.deepStrictEqual(await answer, ['queue', 'x']);
    });
  });
}
