#include "counted.h"
#include <atomic>
#include <barrier>
#include <cerrno>
#include <latch>
#include <linux/futex.h>
#include <semaphore>
#include <stop_token>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

static int word = 3;

int main() {
  return say_once([] {
    errno = 0;
    SAY(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, nullptr));
    SAY(errno);
    SAY(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1));
    SAY(syscall(SYS_futex, &word, FUTEX_WAKE, 0));
    SAY(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 2, nullptr, nullptr,
                FUTEX_BITSET_MATCH_ANY));
    std::atomic<int> number{1};
    number.wait(0);
    number.notify_one();
    std::atomic<bool> truth{true};
    truth.wait(false);
    truth.notify_all();
    SAY(number.load() * 10 + truth.load());
    std::counting_semaphore<5> semaphore(1);
    semaphore.acquire();
    SAY(semaphore.try_acquire());
    semaphore.release(2);
    SAY(semaphore.try_acquire() * 100 + semaphore.try_acquire() * 10 + semaphore.try_acquire());
    SAY(std::counting_semaphore<5>::max());
    std::latch latch(2);
    SAY(latch.try_wait());
    latch.count_down();
    latch.arrive_and_wait();
    SAY(latch.try_wait());
    std::stop_source source;
    std::stop_token token = source.get_token();
    SAY(token.stop_possible() * 10 + token.stop_requested());
    std::stop_source other = std::move(source);
    SAY(source.stop_possible() * 10 + other.stop_possible());
    SAY(other.request_stop() * 10 + other.request_stop());
    SAY(token.stop_requested());
    SAY(std::stop_token().stop_possible());
    int runs = 0;
    std::barrier barrier(1, [&runs]() noexcept { runs++; });
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    SAY(runs);
  });
}
