// redis-semaphore 4 and 5 (mutex, semaphore, multi-semaphore, Redlock mutex) against a served node.
'use strict';

const assert = require('assert');

const Redis = require('ioredis');

for (const name of ['redis-semaphore-4', 'redis-semaphore']) {
  const { Mutex, Semaphore, MultiSemaphore, RedlockMutex, RedlockSemaphore } = require(name);
  describe(name, () => {
    let redis;
    before(() => { redis = new Redis({ keyPrefix: `${name}:` }); });
    after(() => redis.disconnect());
    const patience = { lockTimeout: 10000, acquireTimeout: 50, retryInterval: 10 };
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

    it('has a mutex for one', async () => {
      const first = new Mutex(redis, 'jobs', patience);
      const second = new Mutex(redis, 'jobs', patience);
      await first.acquire();
      await assert.rejects(second.acquire(), /timeout/);
      await first.release();
      await second.acquire();
      await second.release();
      assert.strictEqual(await redis.exists('mutex:jobs'), 0);
    });
    it('refreshes the mutex', async () => {
      const often = { ...patience, lockTimeout: 300, refreshInterval: 20 };
      const mutex = new Mutex(redis, 'kept', often);
      await mutex.acquire();
      await redis.pexpire('mutex:kept', 100);
      while (await redis.pttl('mutex:kept') < 150) await wait(5);
      await mutex.release();
    });
    it('tells of a mutex that another has overwritten', async () => {
      let told;
      const lost = new Promise((resolve) => { told = resolve; });
      const watched = { ...patience, refreshInterval: 20, onLockLost: told };
      const mutex = new Mutex(redis, 'overwritten', watched);
      await mutex.acquire();
      await redis.set('mutex:overwritten', 'theirs');
      assert.match((await lost).message, /mutex/i);
    });
    it('has a semaphore for as many as it says', async () => {
      const all = [1, 2, 3].map(() => new Semaphore(redis, 'pool', 2, patience));
      await all[0].acquire();
      await all[1].acquire();
      await assert.rejects(all[2].acquire(), /timeout/);
      await all[0].release();
      await all[2].acquire();
      await all[1].release();
      await all[2].release();
      assert.strictEqual(await redis.zcard('semaphore:pool'), 0);
    });
    it('has a semaphore of which one takes several', async () => {
      const many = new MultiSemaphore(redis, 'seats', 3, 2, patience);
      const more = new MultiSemaphore(redis, 'seats', 3, 2, patience);
      await many.acquire();
      await assert.rejects(more.acquire(), /timeout/);
      await many.release();
    });
    it('has a mutex and a semaphore on several nodes', async () => {
      const nodes = [0, 1, 2].map((db) => new Redis({ db, keyPrefix: `${name}:` }));
      const first = new RedlockMutex(nodes, 'jobs', patience);
      const second = new RedlockMutex(nodes, 'jobs', patience);
      await first.acquire();
      await assert.rejects(second.acquire(), /timeout/);
      await first.release();
      const pool = new RedlockSemaphore(nodes, 'pool', 1, patience);
      await pool.acquire();
      await pool.release();
      nodes.forEach((node) => node.disconnect());
    });
  });
}
