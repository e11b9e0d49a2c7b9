"""redis.lock.Lock of redis-py under faults of the served nodes.

Each time that it has two owners is one possible overlap that `holdfast serve` reports."""

import os
import time
import unittest

import redis
from redis.exceptions import LockNotOwnedError, ReadOnlyError, ResponseError
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

control = redis.Redis(port=7000, decode_responses=True)


def strike(words):
    control.execute_command(*words.split())


def overlaps():
    with open(os.environ["SERVE_LOG"], encoding="utf-8") as log:
        return sum("possible overlap" in line for line in log)


class ALockUnderFaults(unittest.TestCase):
    def setUp(self):
        self.first = redis.Redis(socket_timeout=0.3)
        self.second = redis.Redis()
        self.addCleanup(self.first.close)
        self.addCleanup(self.second.close)
        self.name = "jobs/" + self._testMethodName

    def held_by_first(self):
        lock = self.first.lock(self.name, timeout=60)
        self.assertTrue(lock.acquire(blocking=False))
        return lock

    def second_gets_it_too(self, lock):
        before = overlaps()
        rival = self.second.lock(self.name, timeout=60)
        self.assertTrue(rival.acquire(blocking=False))
        time.sleep(0.7)  # beyond the tolerance of 1 % of the TTL
        self.assertFalse(lock.owned())
        with self.assertRaises(LockNotOwnedError):
            lock.extend(1)
        with self.assertRaises(LockNotOwnedError):
            lock.release()
        rival.release()
        self.assertEqual(overlaps(), before + 1)

    def test_has_two_owners_when_the_servers_clock_jumps(self):
        lock = self.held_by_first()
        strike("clock n1 +61s")
        self.second_gets_it_too(lock)

    def test_has_two_owners_when_its_key_is_evicted(self):
        lock = self.held_by_first()
        strike("evict n1 " + self.name)
        self.second_gets_it_too(lock)

    def test_has_two_owners_when_the_server_restarts_empty(self):
        lock = self.held_by_first()
        strike("restart n1")
        self.second.ping()
        self.second_gets_it_too(lock)

    def test_has_two_owners_after_a_failover_that_lost_its_key(self):
        strike("hold n1r")
        lock = self.held_by_first()
        strike("failover n1 n1r")
        self.second_gets_it_too(lock)
        strike("failover n1r n1")

    def test_has_one_owner_when_nothing_is_struck(self):
        lock = self.held_by_first()
        self.assertFalse(self.second.lock(self.name, timeout=60).acquire(blocking=False))
        self.assertTrue(lock.owned())
        lock.release()

    def test_is_not_told_whether_it_has_the_lock_by_a_server_that_pauses(self):
        strike("pause n1 600ms")
        with self.assertRaises(TimedOut):
            self.first.lock(self.name, timeout=60).acquire(blocking=False)
        self.assertIsNotNone(self.second.get(self.name))  # executed all the same

    def test_meets_a_crashed_server(self):
        strike("crash n1 restart-after 200ms")
        with self.assertRaises(Disconnected):
            self.first.lock(self.name, timeout=60).acquire(blocking=False)
        time.sleep(0.5)
        self.held_by_first().release()

    def test_is_refused_with_the_servers_error(self):
        self.addCleanup(strike, "heal n1")
        control.execute_command("error", "n1", "OOM command not allowed")
        with self.assertRaisesRegex(ResponseError, "OOM command not allowed"):
            self.held_by_first()
        replica = redis.Redis(port=6380)
        self.addCleanup(replica.close)
        with self.assertRaises(ReadOnlyError):
            replica.lock(self.name, timeout=60).acquire(blocking=False)


if __name__ == "__main__":
    unittest.main()
