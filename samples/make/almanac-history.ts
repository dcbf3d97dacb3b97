import type { Bump, Plot, Station } from './almanac-plots.ts'
import type { Commit } from './git-repository.ts'
import { later } from './host.ts'

const readme = `# Almanac

Stations of **tidewatch**: one file each in \`stations/\`.

Times are minutes after high water at the reference station, heights are metres above chart datum.
`

const chartsVersion = (turn: number) => `2.${Math.floor(turn / 14)}.${turn % 3}`

/** Line 6 holds the minutes, which the first attempt of some stations has in seconds. */
const stationFile = ({ name, minutes, turn }: Station, wrong = false) => `{
  "name": "${name}",
  "latitude": ${50 + (turn % 9)}.${10 + (turn % 80)},
  "longitude": -${2 + (turn % 5)}.${10 + ((turn * 7) % 80)},
  "datum": "chart",
  "minutes": ${wrong ? minutes * 60 : minutes},
  "height": ${(0.6 + (turn % 30) / 20).toFixed(2)}
}
`

export const pathOfStation = ({ slug }: Station): string => `stations/${slug}.json`

/** The commits that plots are about, by their keys. */
export const keys = {
  first: 'first',
  draft: ({ slug }: Station) => `draft-${slug}`,
  mended: ({ slug }: Station) => `mended-${slug}`,
  merged: ({ slug }: Station) => `merged-${slug}`,
  bump: ({ number }: Bump) => `bump-${number}`,
  mergedBump: ({ number }: Bump) => `merged-bump-${number}`,
}

export const chartsBefore = ({ turn }: Bump) => chartsVersion(Math.max(0, turn - 14))
export const chartsAfter = ({ turn }: Bump) => chartsVersion(turn)

/** Dates of what happens to a pull request, after its plot has begun. */
export const timesOf = ({ at, turn }: Plot) => {
  const opened = later(at, 1440 + turn * 7)
  return {
    opened,
    reviewed: later(opened, 300 + turn * 5),
    mended: later(opened, 1300 + turn * 3),
    done: later(opened, 2900 + ((turn * 37) % 1500)),
  }
}

/** The history of the almanac; `bases` has the commit on which each pull request is based. */
export function makeAlmanacHistory(plots: readonly Plot[]) {
  const bases = new Map<Plot, string>()
  const commits: Commit[] = [
    {
      key: keys.first,
      ref: 'heads/main',
      author: 'sanna-brook',
      at: '2021-12-30T10:00:00Z',
      message: 'Begin an almanac',
      files: { 'README.md': readme, 'requirements.txt': `harbour-charts==${chartsVersion(0)}\n` },
    },
  ]
  let main = keys.first
  for (const plot of plots) {
    if (plot.kind !== 'station' && plot.kind !== 'bump') continue
    bases.set(plot, main)
    const change = plot.kind === 'station' ? addStation(plot) : addBump(plot)
    change.commits[0] = { ...(change.commits[0] as Commit), parents: [main] }
    commits.push(...change.commits)
    if (plot.outcome === 'refused' || plot.outcome === 'open') continue
    const last = change.commits.at(-1) as Commit
    commits.push({
      key: change.merged,
      ref: 'heads/main',
      author: plot.keeper,
      at: timesOf(plot).done,
      message: `Merge pull request #${change.number} from harbour-lights/${change.branch}`,
      parents: [main, last.key],
      files: last.files ?? {},
    })
    main = change.merged
  }
  return { commits, bases, main }
}

function addStation(plot: Station) {
  const { opened, mended } = timesOf(plot)
  const number = plot.number + 1
  const commit = (key: string, at: string, message: string, wrong: boolean): Commit => ({
    key,
    ref: `pull/${number}/head`,
    author: plot.author,
    at: later(at, -4),
    message,
    files: { [pathOfStation(plot)]: stationFile(plot, wrong) },
  })
  const commits = [commit(keys.draft(plot), opened, `Add ${plot.name}`, plot.outcome === 'mended')]
  if (plot.outcome === 'mended') {
    commits.push(commit(keys.mended(plot), mended, 'Minutes, not seconds', false))
  }
  return { number, branch: plot.slug, commits, merged: keys.merged(plot) }
}

function addBump(plot: Bump) {
  const commit: Commit = {
    key: keys.bump(plot),
    ref: `pull/${plot.number}/head`,
    author: 'buoy-bumper[bot]',
    at: plot.at,
    message: `Bump harbour-charts from ${chartsBefore(plot)} to ${chartsAfter(plot)}`,
    files: { 'requirements.txt': `harbour-charts==${chartsAfter(plot)}\n` },
  }
  const branch = `buoy-bumper/harbour-charts-${chartsAfter(plot)}`
  return { number: plot.number, branch, commits: [commit], merged: keys.mergedBump(plot) }
}
