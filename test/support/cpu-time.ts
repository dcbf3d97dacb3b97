/** Milliseconds of processor time that some work takes: on a busy machine the time of a clock says little. */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
