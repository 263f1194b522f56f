/**
 * Starts a timer for CPU time. The returned function gives the milliseconds of CPU time used by
 * this process since the start, independent of the load of the machine.
 */
export function cpuTimer(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}
