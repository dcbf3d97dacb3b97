import type { SiteSummary } from '../../pages/site/site-options.ts'
import { defineCommand } from '../command/command.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { folderOption, QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount } from '../output/quantities.ts'
import { writeFolder } from '../process/write-folder.ts'
import { knownName } from '../sources/known-names.ts'
import { openReadable } from '../sources/open-readable.ts'

export const site = defineCommand({
  usage: '<source> <folder>',
  options: {
    source: SOURCE_OPTION,
    folder: {
      type: 'string',
      demandOption: true,
      describe: 'Folder to write to: new, empty, or a site that marc wrote before',
    },
    output: folderOption('folder'),
    public: {
      type: 'boolean',
      describe: 'Only public repositories, and nothing about the archive as a whole',
    },
    repo: {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<owner/name>',
      describe: 'Only this repository, and nothing about the archive as a whole; repeatable',
    },
    files: { type: 'boolean', default: true, describe: 'Leave out attachments' },
    git: {
      type: 'boolean',
      default: true,
      describe: 'Leave out folders, files, commits and diffs of repositories',
    },
    commits: {
      type: 'string',
      value: '<number>',
      describe: 'Newest commits of each repository that get a page: a number, all or none [2000]',
    },
    'all-refs': {
      type: 'boolean',
      describe: 'Folders and files of all branches, not only of the default branch and tags',
    },
    search: { type: 'boolean', default: true, describe: 'Leave out the search' },
    archive: {
      type: 'boolean',
      describe: 'Include the archive of the whole source for download, as marc build writes it',
    },
    base: {
      type: 'string',
      value: '<url>',
      describe: 'The address that the site will have, for sitemap.xml and canonical links',
    },
    'dry-run': {
      type: 'boolean',
      describe: 'Estimate the number of files and bytes, and write nothing',
    },
    json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
    quiet: QUIET_OPTION,
  },
  whenInterrupted: 'Pages that were written stay. Run the command again to complete the site.',
  exits: [],
  works: 'in SQLite',
  examples: [
    ['marc site samples/hello.tar.gz site', 'open site/index.html in a browser'],
    ['marc site hello.db site --public', 'only what is public'],
    ['marc site hello.db site --dry-run', 'how large it would be'],
  ],
  async run({ source, folder, public: isPublic, json, quiet, ...typed }, io) {
    const commits = commitsOf(typed.commits)
    if (typed.archive && (isPublic || typed.repo)) {
      const other = isPublic ? '--public' : '--repo'
      const message = `--archive goes without ${other}: an archive has everything, also what is private`
      throw new UsageError(message)
    }
    const { writeSite } = await import('../../pages/site/write-site.ts')
    const contents = typed.git || typed.archive ? 'all' : 'uploads'
    const database = await openReadable(source, io, { quiet, contents, writes: true })
    const { name } = database
    const only: string[] = []
    try {
      for (const each of typed.repo ?? []) only.push(await knownName(database, 'repository', each))
    } finally {
      database.close()
    }
    io.growYoungSpace?.()
    return writeFolder(
      folder,
      {
        json,
        quiet,
        kind: 'a site',
        write: (progress) =>
          writeSite([name], folder, {
            public: isPublic,
            git: typed.git,
            commits,
            allRefs: typed['all-refs'],
            repositories: typed.repo && only,
            files: typed.files,
            base: typed.base,
            search: typed.search,
            archive: typed.archive,
            dryRun: typed['dry-run'],
            signal: io.signal,
            progress,
          }),
        describe: (done) => (typed['dry-run'] ? describeSize(done) : describe(folder, done)),
      },
      io,
    )
  },
})

const describeSize = ({ files, bytes }: { files: number; bytes: number }): SafeText =>
  safe`the site would have about ${formatCount(files)} files of ${formatBytes(bytes)}\n`

function commitsOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'all') return text && Number.POSITIVE_INFINITY
  if (text === 'none') return 0
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--commits is a number, all or none, not ${JSON.stringify(text)}`)
}

function describe(folder: string, { files, written, removed, shadowed }: SiteSummary): SafeText {
  const index = escapeControls(`${folder.replace(/(?<![/\\])[/\\]+$/, '')}/index.html`)
  const gone = removed === 0 ? safe`` : safe`, removed ${formatCount(removed)}`
  return safe`wrote ${formatCount(written)} of ${formatCount(files)} files${gone}; open ${index}\n${describeShadowed(shadowed)}`
}

function describeShadowed(shadowed: number): SafeText {
  if (shadowed === 0) return safe``
  if (shadowed === 1) return safe`1 repository is left out: another has its name\n`
  return safe`${formatCount(shadowed)} repositories are left out: others have their names\n`
}
