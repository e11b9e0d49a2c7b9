"""redis.lock.Lock of redis-py against a served node, whose time passes by `advance`."""

import threading
import time
import unittest

import redis
from redis.exceptions import LockError, LockNotOwnedError

control = redis.Redis(port=7000, decode_responses=True)


def advance(how_long):
    control.execute_command("advance", how_long)


class ALock(unittest.TestCase):
    def setUp(self):
        self.redis = redis.Redis()
        self.addCleanup(self.redis.close)
        self.name = "jobs/" + self._testMethodName

    def lock(self, **options):
        return self.redis.lock(self.name, **{"timeout": 10, "sleep": 0.01, **options})

    def ttl_is_near(self, seconds):
        self.assertAlmostEqual(self.redis.pttl(self.name) / 1000, seconds, delta=1.5)

    def test_is_held_by_one_at_a_time(self):
        first, second = self.lock(), self.lock()
        self.assertTrue(first.acquire(blocking=False))
        self.assertFalse(second.acquire(blocking=False))
        self.assertTrue(first.owned() and first.locked() and second.locked())
        self.assertFalse(second.owned())
        first.release()
        self.assertFalse(first.locked())
        self.assertTrue(second.acquire(blocking=False))

    def test_has_the_token_and_the_ttl_it_asked_for(self):
        self.assertTrue(self.lock().acquire(token="mine"))
        self.assertEqual(self.redis.get(self.name), b"mine")
        self.ttl_is_near(10)

    def test_without_a_timeout_has_no_ttl(self):
        self.assertTrue(self.lock(timeout=None).acquire())
        self.assertEqual(self.redis.pttl(self.name), -1)

    def test_is_waited_for_until_the_blocking_timeout(self):
        self.lock().acquire()
        began = time.monotonic()
        self.assertFalse(self.lock().acquire(blocking_timeout=0.2))
        self.assertGreaterEqual(time.monotonic() - began, 0.15)
        with self.assertRaises(LockError):
            with self.lock(blocking_timeout=0.05):
                self.fail("entered")

    def test_comes_to_a_waiter_when_it_is_released(self):
        holder = self.lock(thread_local=False)
        holder.acquire()
        timer = threading.Timer(0.1, holder.release)
        timer.start()
        self.assertTrue(self.lock().acquire(blocking_timeout=20))
        timer.join()

    def test_comes_to_a_waiter_when_it_expires(self):
        self.lock().acquire()
        timer = threading.Timer(0.1, advance, ["11s"])
        timer.start()
        self.assertTrue(self.lock().acquire(blocking_timeout=20))
        timer.join()

    def test_is_no_longer_owned_after_its_expiry(self):
        lock = self.lock()
        lock.acquire()
        advance("11s")
        self.assertFalse(lock.owned() or lock.locked())
        with self.assertRaises(LockNotOwnedError):
            lock.extend(5)
        with self.assertRaises(LockNotOwnedError):
            lock.reacquire()
        with self.assertRaises(LockNotOwnedError):
            lock.release()

    def test_of_another_is_not_released_by_its_former_holder(self):
        former, holder = self.lock(), self.lock()
        former.acquire()
        advance("11s")
        holder.acquire()
        with self.assertRaises(LockNotOwnedError):
            former.release()
        self.assertTrue(holder.owned())

    def test_cannot_be_released_unlocked(self):
        with self.assertRaisesRegex(LockError, "unlocked"):
            self.lock().release()

    def test_is_extended_by_and_extended_to(self):
        lock = self.lock()
        lock.acquire()
        self.assertTrue(lock.extend(20))
        self.ttl_is_near(30)
        self.assertTrue(lock.extend(7, replace_ttl=True))
        self.ttl_is_near(7)
        advance("6s")
        self.assertTrue(lock.reacquire())
        self.ttl_is_near(10)

    def test_belongs_to_the_thread_that_took_it(self):
        lock = self.lock()
        lock.acquire()
        acquired = []
        thread = threading.Thread(target=lambda: acquired.append(lock.acquire(blocking=False)))
        thread.start()
        thread.join()
        self.assertEqual((acquired, lock.owned()), ([False], True))

    def test_guards_a_section_against_threads(self):
        counts = {"now": 0, "most": 0, "entered": 0}

        def work():
            for _ in range(10):
                with self.lock(blocking_timeout=60):
                    counts["now"] += 1
                    counts["most"] = max(counts["most"], counts["now"])
                    counts["entered"] += 1
                    time.sleep(0.001)
                    counts["now"] -= 1

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counts, {"now": 0, "most": 1, "entered": 80})

    def test_survives_that_the_server_forgets_its_scripts(self):
        with self.lock():
            self.redis.script_flush()


if __name__ == "__main__":
    unittest.main()
