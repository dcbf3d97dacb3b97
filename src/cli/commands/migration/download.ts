import { getArchiveAddress } from '../../../client/download/download-archive.ts'
import { refuseExisting } from '../../../files/write-file.ts'
import { defineCommand } from '../../command/command.ts'
import { UsageError } from '../../command/usage-error.ts'
import {
  advising,
  CLIENT_OPTIONS,
  clientOf,
  ID_ARGUMENT,
  idOf,
} from '../../options/client-options.ts'
import { waitingOf } from '../../options/waiting-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { writeResult } from '../../output/write-all.ts'
import {
  checkOutputs,
  describeDownload,
  FINISHING_OPTIONS,
  fetchArchive,
  loadFetched,
} from './finish-migration.ts'

export const download = defineCommand({
  usage: '<id>',
  options: {
    id: ID_ARGUMENT,
    output: { alias: 'o', value: '<file>', describe: 'Archive to write [<guid>.tar.gz]' },
    wait: { type: 'boolean', describe: 'Wait until the migration is exported' },
    address: {
      type: 'boolean',
      describe: 'Print the address of the archive instead; anybody who knows it can download it',
    },
    ...FINISHING_OPTIONS,
    ...CLIENT_OPTIONS,
    json: { type: 'boolean', describe: 'Print the result, and errors, as JSON' },
  },
  exits: [1, 4, 5],
  examples: [
    ['marc migration download 1 -o export.tar.gz', 'verified while it comes in'],
    ['marc migration download 1 --wait --load export.db', 'straight into a database'],
  ],
  async run({ id, output, address, wait = false, json, ...typed }, io) {
    const number = idOf(id)
    const { load, force } = typed
    const waiting = waitingOf(typed, io)
    const client = clientOf(typed, io)
    if (address) {
      if ((output ?? load) !== undefined) {
        throw new UsageError('--address prints an address, and downloads nothing')
      }
      const found = await getArchiveAddress(number, client)
      await writeResult(json, { address: found }, escapeControls(found), io)
      return 0
    }
    await checkOutputs(output, load)
    if (output !== undefined && !force) refuseExisting(output)
    const again = output === undefined ? '' : ` -o ${output}`
    const done = await advising(`download ${id}${again}`, typed, () =>
      fetchArchive(number, output, client, { ...typed, wait, waiting }, io),
    )
    const isKept = output !== undefined || load === undefined
    const text = describeDownload(done)
    if (!json && isKept && !typed.quiet) await writeResult(false, done, text, io)
    const loading = { ...typed, isKept }
    const loaded =
      load === undefined ? undefined : await loadFetched([done.file], load, loading, io)
    if (json) await writeResult(true, { ...done, load: loaded?.summary }, text, io)
    else if (loaded) await writeResult(false, loaded.summary, loaded.text, io)
    return 0
  },
})
