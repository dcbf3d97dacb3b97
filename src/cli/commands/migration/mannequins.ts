import { readFileSync } from 'node:fs'
import type { Mannequin } from '../../../client/import/importer.ts'
import {
  listMannequins,
  type MannequinOptions,
  type Reclaim,
  reclaimMannequins,
} from '../../../client/import/mannequins.ts'
import { CsvReader } from '../../../load/csv-reader.ts'
import { defineCommand } from '../../command/command.ts'
import { safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { clientOf, SERVER_OPTIONS } from '../../options/client-options.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../options/format-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'

const ACTIONS = ['list', 'csv', 'reclaim'] as const
const COLUMNS = ['mannequin-user', 'mannequin-id', 'target-user']

export const mannequins = defineCommand({
  usage: '<action> [file]',
  options: {
    action: {
      type: 'string',
      demandOption: true,
      describe: 'list; csv, a list to fill in; or reclaim, after it was filled in',
    },
    file: { type: 'string', describe: 'The list for reclaim' },
    org: { value: '<login>', describe: 'The organization; required' },
    'skip-invitation': {
      type: 'boolean',
      describe: 'Reclaim at once, without asking the accounts',
    },
    ...SERVER_OPTIONS,
    ...FORMAT_OPTIONS,
  },
  exits: [1, 4],
  exitMeanings: { 1: 'some could not be reclaimed' },
  examples: [
    ['marc migration mannequins csv --org forge', 'fill in the column target-user'],
    ['marc migration mannequins reclaim people.csv --org forge', 'asks each account'],
    ['marc migration mannequins list --org forge', 'and who has claimed them'],
  ],
  async run({ action, file, org, 'skip-invitation': skipInvitation, ...typed }, io) {
    const known = ACTIONS.find((one) => one === action)
    if (known === undefined) {
      const message = `expected ${ACTIONS.join(', ')}, found ${JSON.stringify(action)}`
      throw new UsageError(message)
    }
    if (org === undefined) {
      throw new UsageError('no organization is named', 'Name it with: --org <login>')
    }
    if ((known === 'reclaim') !== (file !== undefined)) {
      throw file === undefined
        ? new UsageError('<file> is missing', 'Make one with: marc migration mannequins csv')
        : new UsageError(`${JSON.stringify(file)} is one argument too many`)
    }
    const client: MannequinOptions = { ...clientOf({ ...typed, org }, io), organization: org }
    if (file === undefined) {
      const found: Mannequin[] = []
      for await (const one of listMannequins(client)) found.push(one)
      const open = found.filter(({ claimant }) => claimant === null)
      const result =
        known === 'list'
          ? { columns: ['login', 'id', 'claimant'], rows: found.map(rowOf).values() }
          : { columns: COLUMNS, rows: open.map(({ login, id }) => [login, id, '']).values() }
      const isCsv = known === 'csv' && formatOf(typed) === undefined
      await writeRows(result, isCsv ? { ...typed, format: 'csv' } : typed, io)
      return 0
    }
    const done = await reclaimMannequins(readReclaims(file), { ...client, skipInvitation })
    const rows = done.map(({ mannequin, id, target, refused }) => [
      mannequin,
      id,
      target,
      refused ?? (skipInvitation ? 'reclaimed' : 'invited'),
    ])
    await writeRows({ columns: [...COLUMNS, 'result'], rows: rows.values() }, typed, io)
    const refused = done.filter((each) => each.refused !== null)
    if (refused.length === 0) return 0
    const logins = refused.map(({ mannequin }) => mannequin).join(', ')
    if (!typed.quiet) io.stderr.write(safe`not reclaimed: ${escapeControls(logins)}\n`)
    return 1
  },
})

const rowOf = ({ login, id, claimant }: Mannequin) => [login, id, claimant]

/** The lines whose column target-user is filled in. */
function readReclaims(file: string): Reclaim[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UsageError(`the list cannot be read: ${(error as Error).message}`)
  }
  const lines: string[][] = []
  const reader = new CsvReader(COLUMNS.length, (cells) => void lines.push([...cells]))
  reader.write(bytes)
  const fault = reader.end()
  const [head = [], ...rest] = lines
  const isOurs = COLUMNS.every((column, i) => head[i]?.replace(/^\uFEFF/, '').trim() === column)
  if (fault !== undefined || !isOurs) {
    const message = fault ?? `the first line is not ${COLUMNS.join(',')}`
    throw new UsageError(`${file}: ${message}`, 'Make one with: marc migration mannequins csv')
  }
  const filled = rest.flatMap(([mannequin = '', id = '', target = '']) =>
    target.trim() === '' ? [] : [{ mannequin, id, target: target.trim() }],
  )
  if (filled.length > 0) return filled
  throw new UsageError(
    `${file}: the column target-user is empty`,
    'Write logins of accounts there.',
  )
}
