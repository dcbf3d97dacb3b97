import { createInterface } from 'node:readline/promises'
import { ArchiveError } from '../../../base/errors.ts'
import { deleteArchive } from '../../../client/delete-archive.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { CLIENT_OPTIONS, clientOf, ID_ARGUMENT, idOf } from '../../options/client-options.ts'
import { writeResult } from '../../output/write-all.ts'

export const deleteCommand = defineCommand({
  usage: '<id>',
  options: {
    id: ID_ARGUMENT,
    yes: { type: 'boolean', alias: 'y', describe: 'Do not ask' },
    ...CLIENT_OPTIONS,
    json: { type: 'boolean', describe: 'Print the result, and errors, as JSON' },
  },
  exits: [1, 4],
  examples: [
    ['marc migration delete 1 --yes', 'the migration itself stays in the list'],
    ['marc migration delete 1 --yes --json', 'the result as JSON'],
  ],
  async run({ id, yes, json, ...typed }, io) {
    const number = idOf(id)
    const client = clientOf(typed, io)
    if (!yes) await confirm(number, io)
    await deleteArchive(number, client)
    const text = safe`The archive of migration ${number} is deleted.`
    await writeResult(json, { id: number, deleted: true }, text, io)
    return 0
  },
})

async function confirm(id: number, { stdin, stderr }: Io): Promise<void> {
  if (!stdin.isTTY)
    throw new UsageError('standard input is not a terminal', 'Delete without a question: --yes')
  stderr.write(safe`Delete the archive of migration ${id}? [y/N] `)
  const lines = createInterface({ input: stdin })
  try {
    const { value = '' } = await lines[Symbol.asyncIterator]().next()
    if (/^y(es)?$/i.test(String(value).trim())) return
    throw new ArchiveError('interrupted', 'nothing is deleted')
  } finally {
    lines.close()
  }
}
