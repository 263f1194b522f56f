/**
 * Begins to count CPU time. The function returned gives the milliseconds of CPU time that this
 * process has taken since; they do not depend on what else the machine does.
 */
export function cpuTimer(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}
