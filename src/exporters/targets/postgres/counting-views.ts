/**
 * Views that count. They group by `_shard` first: if tables are on several servers, only then do these count their own
 * rows at the same time, because the groups contain the column by which the tables are partitioned.
 */
export const COUNTING_VIEWS: readonly { readonly name: string; readonly select: string }[] = [
  {
    name: 'events_by_kind',
    select: countUp(
      ['full_name', 'event', 'month'],
      [{ from: 'issue_events', month: 'created_at', counts: { count: 'count(*)' } }],
    ),
  },
  {
    name: 'threads_by_month',
    select: countUp(
      ['full_name', 'state', 'month'],
      ['issues', 'pull_requests'].flatMap((from) => [
        { from, month: 'created_at', counts: { opened: 'count(*)', closed: '0::bigint' } },
        { from, month: 'closed_at', counts: { opened: '0::bigint', closed: 'count(*)' } },
      ]),
    ),
  },
]

interface Part {
  readonly from: string
  /** The time whose month it is; rows without it are not counted. */
  readonly month: string
  readonly counts: Readonly<Record<string, string>>
}

function countUp(groups: readonly string[], parts: readonly Part[]): string {
  const counts = Object.keys(parts[0]?.counts ?? {})
  // PostgreSQL sends a function of text to other servers only if a column is part of the text, and never a function
  // that depends on settings.
  const month = (time: string) =>
    `date_trunc('month' || left(_archive, 0), ${time} AT TIME ZONE INTERVAL '0')`
  const inner = parts.map(({ from, month: time, counts: counted }) => {
    const columns = groups.map((one) => (one === 'month' ? `${month(time)} AS month` : one))
    const counting = Object.entries(counted).map(([name, count]) => `${count} AS ${name}`)
    const by = groups.map((one) => (one === 'month' ? month(time) : one))
    return `  SELECT _shard, ${[...columns, ...counting].join(', ')}
  FROM ${from} WHERE ${time} IS NOT NULL GROUP BY _shard, ${by.join(', ')}`
  })
  const sums = counts.map((name) => `sum(${name})::bigint AS ${name}`)
  return `SELECT ${[...groups, ...sums].join(', ')} FROM (
${inner.join('\n  UNION ALL\n')}
) AS counted GROUP BY ${groups.join(', ')}`
}
