import { describePlace } from '../errors.ts'
import type { FileCount, Inspection } from '../inspect-archive.ts'
import type { SqlValue } from '../query/query-result.ts'
import type { Io } from './io.ts'
import { escapeControls } from './output/escape-controls.ts'
import { formatTable } from './output/format-table.ts'
import { formatBytes, formatCount } from './output/quantities.ts'
import { stylesFor } from './output/styles.ts'

/** Problems shown one by one; the rest are counted. */
const MOST = 20

/** An inspection as a person reads it. */
export function describeInspection(found: Inspection, { stdout, env }: Io): string {
  const styles = stylesFor(stdout, env)
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  const section = (title: string, columns: readonly string[], rows: SqlValue[][]) =>
    rows.length === 0
      ? []
      : [
          '',
          styles.bold(title),
          [...formatTable({ columns, rows }, { styles, width })].join('').trimEnd(),
        ]

  const kinds = Object.entries(found.kinds).sort(byName)
  const problems = found.problems.slice(0, MOST)
  const hidden = found.problemCount - problems.length
  return [
    ...describeArchive(found).map(
      ([label, value]) => `${label.padEnd(9)} ${escapeControls(value)}`,
    ),
    ...section(
      'Kinds',
      ['kind', 'records', 'files', 'first', 'last'],
      kinds.map(([name, { records, shards, known, first, last }]) => [
        known ? name : `${name} (unknown)`,
        ...[records, shards, first ?? null, last ?? null],
      ]),
    ),
    ...section(
      'Repositories',
      ['repository', 'issues', 'pull requests', 'comments', 'git', 'wiki'],
      repositoryRows(found),
    ),
    ...section(
      'Files',
      ['role', 'files', 'size'],
      Object.entries(found.files)
        .sort(byName)
        .map(([role, { count, bytes }]) => [role, count, formatBytes(bytes)]),
    ),
    ...section(
      'Problems',
      ['code', 'place', 'what'],
      problems.map(({ code, place, message }) => [code, describePlace(place), message]),
    ),
    ...(hidden > 0 ? [`and ${formatCount(hidden)} more`] : []),
  ].join('\n')
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
  a < b ? -1 : 1

function describeArchive({ name, size, form, schema }: Inspection): [string, string][] {
  const { container, dialect, prefix, topFolder } = form
  const layout = [
    container === 'gzip' ? 'tar.gz' : container,
    container !== 'folder' && dialect && `${dialect} headers`,
    prefix && `paths begin with ${prefix}`,
    topFolder && `all in ${topFolder}`,
  ]
  return [
    ['archive', size === undefined ? name : `${name}, ${formatBytes(size)}`],
    ['form', layout.filter(Boolean).join(', ')],
    ['schema', schema?.version ?? 'not stated'],
    ...(schema?.github_sha ? [['host', schema.github_sha] as [string, string]] : []),
  ]
}

function repositoryRows({ repositories, git }: Inspection): SqlValue[][] {
  const names = new Set([
    ...Object.keys(repositories),
    ...Object.keys(git).map((name) => name.replace(/\.wiki$/, '')),
  ])
  return [...names].sort().map((name) => {
    const { issues = 0, pull_requests = 0, ...rest } = repositories[name] ?? {}
    const comments = (rest.issue_comments ?? 0) + (rest.pull_request_review_comments ?? 0)
    return [
      ...[name, issues, pull_requests, comments],
      ...[sizeOf(git[name]), sizeOf(git[`${name}.wiki`])],
    ]
  })
}

const sizeOf = (files: FileCount | undefined) =>
  files === undefined ? null : formatBytes(files.bytes)
