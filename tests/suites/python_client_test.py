"""redis-py's pub/sub, pipelines, transactions and scripts against a served node."""

import unittest

import redis
from redis.exceptions import ResponseError, WatchError

control = redis.Redis(port=7000, decode_responses=True)


class AClient(unittest.TestCase):
    def setUp(self):
        self.redis = redis.Redis(decode_responses=True, client_name="suite")
        self.addCleanup(self.redis.close)
        self.redis.flushall()

    def messages(self, pubsub, count):
        found = []
        while len(found) < count:
            message = pubsub.get_message(timeout=10)
            self.assertIsNotNone(message, found)
            found.append((message["type"], message["channel"], message["data"]))
        return found

    def test_hears_what_is_published_on_its_channels_and_patterns(self):
        with self.redis.pubsub() as heard:
            heard.subscribe("news")
            heard.psubscribe("n?ws")
            answers = [("subscribe", "news", 1), ("psubscribe", "n?ws", 2)]
            self.assertEqual(self.messages(heard, 2), answers)
            self.assertEqual(self.redis.publish("news", "hello"), 2)
            self.assertEqual(self.redis.publish("nows", "again"), 1)
            self.assertEqual(
                self.messages(heard, 3),
                [
                    ("message", "news", "hello"),
                    ("pmessage", "news", "hello"),
                    ("pmessage", "nows", "again"),
                ],
            )
            self.assertEqual(self.redis.pubsub_numsub("news"), [("news", 1)])
            heard.ping("there?")
            self.assertEqual(self.messages(heard, 1)[0][2], "there?")
            heard.unsubscribe()
            heard.punsubscribe()
            self.assertEqual([one[2] for one in self.messages(heard, 2)], [1, 0])

    def test_hears_of_a_lock_that_is_taken_and_expires(self):
        self.redis.config_set("notify-keyspace-events", "KEA")
        with self.redis.pubsub() as heard:
            heard.subscribe("__keyspace@0__:jobs/42")
            self.messages(heard, 1)
            self.redis.set("jobs/42", "mine", nx=True, px=10000)
            control.execute_command("advance", "11s")
            events = [data for _, _, data in self.messages(heard, 3)]
            self.assertEqual(events, ["set", "expire", "expired"])

    def test_sends_a_pipeline(self):
        pipeline = self.redis.pipeline(transaction=False)
        pipeline.set("a", 1).incr("a").get("a").lpush("a", "x")
        answers = pipeline.execute(raise_on_error=False)
        self.assertEqual(answers[:3], [True, 2, "2"])
        self.assertRegex(str(answers[3]), "WRONGTYPE")

    def test_runs_a_transaction(self):
        pipeline = self.redis.pipeline().hset("h", mapping={"a": 1, "b": 2}).hgetall("h").ttl("h")
        answers = pipeline.execute()
        self.assertEqual(answers, [2, {"a": "1", "b": "2"}, -1])
        with self.assertRaisesRegex(ResponseError, "wrong number of arguments"):
            self.redis.pipeline().execute_command("GET").execute()

    def test_watches_keys(self):
        with self.redis.pipeline() as pipeline:
            pipeline.watch("balance")
            self.redis.set("balance", 7)
            pipeline.multi()
            pipeline.incr("balance")
            with self.assertRaises(WatchError):
                pipeline.execute()

        def add_three(pipeline):
            self.assertEqual(pipeline.get("balance"), "7")
            pipeline.multi()
            pipeline.incrby("balance", 3)

        self.assertEqual(self.redis.transaction(add_three, "balance"), [10])

    def test_waits_for_an_element(self):
        self.redis.rpush("queue", "first")
        self.assertEqual(self.redis.blpop(["none", "queue"], timeout=5), ("queue", "first"))
        self.assertIsNone(self.redis.brpop("queue", timeout=0.05))

    def test_runs_scripts(self):
        text = "return {KEYS[1], ARGV[1], 3, redis.call('TTL', KEYS[1])}"
        script = self.redis.register_script(text)
        self.assertEqual(script(["k"], ["v"]), ["k", "v", 3, -2])
        self.assertEqual(self.redis.script_exists(script.sha, "0" * 40), [True, False])
        with self.assertRaisesRegex(ResponseError, "my words"):
            self.redis.eval("return redis.error_reply('my words')", 0)

    def test_reads_what_the_server_says_of_itself(self):
        self.assertEqual(self.redis.info("replication")["role"], "master")
        self.assertIn("suite", [client["name"] for client in self.redis.client_list()])
        policy = self.redis.config_get("maxmemory-policy")
        self.assertEqual(policy, {"maxmemory-policy": "noeviction"})
        self.assertTrue(set(self.redis.scan_iter()) <= set(self.redis.keys()))
        self.assertIn("set", self.redis.command())


if __name__ == "__main__":
    unittest.main()
