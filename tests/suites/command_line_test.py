"""redis-cli in its common modes and redis-benchmark against a served node."""

import csv
import json
import subprocess
import tempfile
import unittest


def run(*words, given=None, patience=60):
    done = subprocess.run(words, input=given, capture_output=True, text=True, timeout=patience)
    return done.stdout + done.stderr


def cli(*words, given=None):
    return run("redis-cli", *words, given=given)


class RedisCli(unittest.TestCase):
    def setUp(self):
        self.assertEqual(cli("flushall"), "OK\n")

    def test_prints_replies_for_people_and_for_programs(self):
        self.assertEqual(cli("--no-raw", "set", "a", "1"), "OK\n")
        self.assertEqual(cli("--no-raw", "mget", "a", "b"), '1) "1"\n2) (nil)\n')
        self.assertEqual(cli("--csv", "mget", "a", "b"), '"1",NULL\n')
        self.assertEqual(json.loads(cli("--json", "mget", "a", "b")), ["1", None])
        self.assertEqual(cli("hset", "h", "f", "v"), "1\n")
        self.assertEqual(cli("-3", "--no-raw", "hgetall", "h"), '1# "f" => "v"\n')
        error = "(error) ERR wrong number of arguments for 'incr' command\n"
        self.assertEqual(cli("--no-raw", "incr", "a", "b"), error)

    def test_fails_with_an_error_when_asked_to(self):
        done = subprocess.run(["redis-cli", "-e", "get"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)

    def test_reads_commands_and_the_last_argument_from_its_input(self):
        typed = "set b 2\nget b\nmulti\nincr b\nexec\n"
        self.assertEqual(cli(given=typed), "OK\n2\nOK\nQUEUED\n3\n")
        self.assertEqual(cli("-x", "set", "c", given="hello"), "OK\n")
        self.assertEqual(cli("strlen", "c"), "5\n")

    def test_chooses_a_database(self):
        self.assertEqual(cli("-n", "3", "set", "q", "1"), "OK\n")
        self.assertEqual(cli("-u", "redis://127.0.0.1:6379/3", "get", "q"), "1\n")
        self.assertEqual(cli("get", "q"), "\n")

    def test_repeats(self):
        self.assertEqual(cli("-r", "3", "-i", "0.01", "incr", "n"), "1\n2\n3\n")

    def test_evaluates_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            script.write("return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 1000)")
            script.flush()
            self.assertEqual(cli("--eval", script.name, "lock", ",", "mine"), "OK\n")
            self.assertEqual(cli("--eval", script.name, "lock", ",", "mine"), "\n")

    def test_inserts_in_bulk_and_scans(self):
        sets = "".join(f"*3\r\n$3\r\nSET\r\n$4\r\nk{i:03}\r\n$1\r\nv\r\n" for i in range(500))
        self.assertIn("errors: 0, replies: 500", cli("--pipe", given=sets))
        self.assertEqual(len(cli("--scan", "--pattern", "k*").split()), 500)
        self.assertIn("500 strings with 500 bytes", cli("--bigkeys"))
        self.assertIn("500 strings", cli("--memkeys"))

    def test_listens_and_measures_for_a_while(self):
        self.assertIn("subscribe\nnews\n1\n", run("timeout", "1", "redis-cli", "subscribe", "news"))
        measured = run("timeout", "5", "redis-cli", "--latency", "--raw", "-i", "0.1")
        self.assertRegex(measured, r"^\d+ \d")


class RedisBenchmark(unittest.TestCase):
    def measured(self, *words):
        """The names of the tests in what --csv prints."""
        printed = run("redis-benchmark", "--csv", "-n", "500", *words)
        lines = list(csv.reader(printed.splitlines()))[1:]
        for line in lines:
            self.assertGreater(float(line[1]), 0, printed)
        return [line[0].split(" ")[0] for line in lines]

    def test_runs_its_commands(self):
        tests = "ping_inline,set,get,incr,lpush,rpush,lpop,rpop,sadd,hset,spop,zadd,zpopmin,mset"
        names = self.measured("-t", tests + ",lrange_100")
        for name in tests.upper().split(","):
            self.assertIn(name, names)

    def test_pipelines_from_many_connections_and_threads(self):
        many = self.measured("-t", "set,get", "-P", "16", "-c", "200", "-r", "1000")
        self.assertEqual(many, ["SET", "GET"])
        self.assertEqual(self.measured("-t", "incr", "--threads", "2", "-3"), ["INCR"])

    def test_sends_any_command(self):
        self.assertEqual(len(self.measured("set", "lock", "mine", "nx", "px", "100")), 1)
        self.assertEqual(len(self.measured("eval", "return redis.call('get','lock')", "0")), 1)


if __name__ == "__main__":
    unittest.main()
