import { readFile } from 'node:fs/promises'
import { checkSource } from '../../archive/open-archive.ts'
import { writeFile } from '../../files/write-file.ts'
import { asBytes } from '../../streams.ts'
import { WHAT, type What } from '../../transform/redact/detect.ts'
import { MODES } from '../../transform/redact/pseudonyms.ts'
import { redactDatabase } from '../../transform/redact/redact-database.ts'
import { ATTACHMENTS, GIT, type RedactOptions } from '../../transform/redact/redact-options.ts'
import { defineCommand } from '../command/command.ts'
import { UsageError } from '../command/usage-error.ts'
import { resolveSelection, SELECTION_OPTIONS, selectionOf } from '../options/selection-options.ts'
import { COPY_OPTION, QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { checkOutput } from '../output/check-output.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { safe } from '../output/safe-text.ts'
import { writeAll } from '../output/write-all.ts'
import {
  describeRedaction,
  redactionMarkdown,
  redactionSarif,
} from '../reports/describe-redaction.ts'
import { listBreaches } from '../reports/prepare-build.ts'
import { openReadable } from '../sources/open-readable.ts'

export const redact = defineCommand({
  usage: '<source>',
  summary: 'Write a copy without e-mail addresses, names, IP addresses and secrets',
  options: {
    source: SOURCE_OPTION,
    output: COPY_OPTION,
    'key-file': {
      type: 'string',
      value: '<file>',
      describe: 'A key of 32 bytes or more: it gives the same pseudonyms each time [random]',
    },
    what: {
      type: 'string',
      value: '<types>',
      describe: `Any of ${WHAT.join()} [emails,names,ips,secrets]`,
    },
    mode: {
      choices: MODES,
      default: 'pseudonym',
      value: '<mode>',
      describe: 'What to write instead: a pseudonym, a mask such as [email], or nothing',
    },
    'keep-domain': { type: 'boolean', describe: 'Keep the domains of addresses' },
    keep: {
      type: 'string',
      value: '<file>',
      describe: 'Values to keep, one on each line: addresses, domains, logins, names',
    },
    also: {
      type: 'string',
      value: '<file>',
      describe: 'Words and /patterns/ to remove as well, one on each line',
    },
    attachments: {
      choices: ATTACHMENTS,
      default: 'scan',
      value: '<what>',
      describe: 'Contents of files: keep them, scan texts and pictures, or replace all of them',
    },
    git: {
      choices: GIT,
      default: 'keep',
      value: '<what>',
      describe: 'Git data, which is not scanned: keep it, leave it out, or rewrite its authors',
    },
    report: { type: 'string', value: '<file>', describe: 'Write a report: .json, .md or .sarif' },
    'dry-run': { type: 'boolean', describe: 'Only report' },
    'fail-on': {
      choices: ['secrets'],
      value: '<type>',
      describe: 'Exit with 1 if any was found',
    },
    force: { type: 'boolean', describe: 'Overwrite the output and the report' },
    ...SELECTION_OPTIONS,
    json: { type: 'boolean', describe: 'Print the report, and errors, as JSON' },
    quiet: QUIET_OPTION,
  },
  exits: [1],
  examples: [
    ['marc redact samples/hello.tar.gz --dry-run', 'what would be removed'],
    ['marc redact samples/hello.tar.gz -o public.tar.gz --force', 'a copy to share'],
    [
      'marc redact samples/hello.tar.gz --what emails,names,logins,ips,secrets -o anonymous.db --force',
      'people by pseudonyms alone',
    ],
  ],
  async run({ source, output, what, keep, also, report: reportFile, ...typed }, io) {
    const { force = false, json, quiet, mode, attachments, git } = typed
    const dryRun = typed['dry-run'] === true
    if (source !== '-') await checkSource(source)
    await checkTargets(source, { output, report: reportFile, dryRun })
    const keyFile = typed['key-file']
    const breaches = listBreaches(io, { json, clear: () => {} })
    const options: RedactOptions = {
      ...{ mode, attachments, git, keepDomain: typed['keep-domain'], what: parseWhat(what) },
      key: keyFile === undefined ? undefined : await readKey(keyFile),
      keep: keep === undefined ? undefined : await readLines(keep, 'keep'),
      also: also === undefined ? undefined : await readLines(also, 'also', { empty: true }),
      ...{ force, report: breaches.report },
      ...(io.signal && { signal: io.signal }),
    } as RedactOptions
    const choice = selectionOf(typed)
    const database = await openReadable(source, io, { contents: 'all', writes: true, quiet })
    try {
      const selected = await resolveSelection(database, choice, { timeout: typed.timeout, io })
      const report = await redactDatabase(database, dryRun ? undefined : output, {
        ...options,
        ...selected,
      })
      breaches.finish()
      if (reportFile !== undefined) {
        const text = reportFile.endsWith('.md')
          ? redactionMarkdown(report)
          : `${JSON.stringify(reportFile.endsWith('.sarif') ? redactionSarif(report) : report, null, 2)}\n`
        await writeFile(reportFile, asBytes([Buffer.from(text)]), { force })
      }
      if (!quiet || json) {
        const text = json
          ? escapeControlsInJson(JSON.stringify(report))
          : describeRedaction(report, {
              output: dryRun ? undefined : output,
              attachments: attachments as string,
            })
        await writeAll(io.stdout, [safe`${text}\n`])
      }
      return typed['fail-on'] === 'secrets' && (report.counts.secret ?? 0) > 0 ? 1 : 0
    } finally {
      database.close()
    }
  },
})

async function checkTargets(
  source: string,
  {
    output,
    report,
    dryRun,
  }: { output: string | undefined; report: string | undefined; dryRun: boolean },
): Promise<void> {
  const made = {
    what: 'an archive or a database',
    example: 'public.tar.gz',
    source: 'what is to be redacted',
  }
  if (output === undefined && !dryRun) {
    throw new UsageError('the output needs a name', 'Name it with: -o public.tar.gz')
  }
  if (output !== undefined) await checkOutput(output, [source], made)
  if (report === undefined) return
  if (!/\.(json|md|sarif)$/.test(report)) {
    throw new UsageError(`--report takes a file that ends in .json, .md or .sarif, not ${report}`)
  }
  await checkOutput(report, [source], { ...made, what: 'a report', example: 'report.json' })
}

function parseWhat(typed: string | undefined): What[] | undefined {
  const words = typed?.split(',').map((word) => word.trim())
  const strange = words?.find((word) => !WHAT.some((what) => what === word))
  if (strange === undefined) return words as What[] | undefined
  throw new UsageError(`--what takes ${WHAT.join(', ')}, not ${JSON.stringify(strange)}`)
}

async function readKey(path: string): Promise<Uint8Array> {
  const key = await readTyped(path, 'key-file')
  if (key.length >= 32) return key
  throw new UsageError(
    `expected a key of 32 bytes or more, found ${key.length === 0 ? 'none' : key.length}`,
    'Make one with: head -c 32 /dev/urandom > key',
    { archive: path },
  )
}

async function readLines(path: string, option: string, { empty = false } = {}): Promise<string[]> {
  const lines = (await readTyped(path, option)).toString('utf8').split(/\r?\n/)
  // Lines of patterns keep their numbers for messages.
  return empty ? lines : lines.map((line) => line.trim()).filter((line) => line !== '')
}

const readTyped = (path: string, option: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new UsageError(message, `Check the path after --${option}.`, { archive: path })
  })
