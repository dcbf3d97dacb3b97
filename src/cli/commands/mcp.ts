import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { CLIENT_CONFIGS } from '../../mcp/client-configs.ts'
import { defineCommand } from '../command/command.ts'
import { safe } from '../command/safe-text.ts'
import { shellWord } from '../command/usage-error.ts'
import { PROGRESS_OPTIONS } from '../options/shared-options.ts'
import { escapeControlsButNewlines } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { databasePath } from '../sources/open-readable.ts'

const CLIENTS = Object.keys(CLIENT_CONFIGS) as (keyof typeof CLIENT_CONFIGS)[]

export const mcp = defineCommand({
  usage: '<sources..>',
  options: {
    sources: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Databases or archives, read as one',
    },
    'print-config': {
      choices: CLIENTS,
      value: '<client>',
      describe: 'Print what to paste into the settings of this client, and end',
    },
    ...PROGRESS_OPTIONS,
  },
  lasts: true,
  works: 'in turns',
  notes: `Messages go over standard input and output; the command ends when the client
closes its end. Nothing is written to the archives, and nothing leaves this
machine but the answers.

Texts of an archive are other people's words. Answers keep them apart from
those of marc, and show control and bidi characters as escapes.`,
  examples: [
    ['marc mcp samples/hello.tar.gz --print-config claude-code', 'the line that adds it'],
    ['marc mcp hello.db --print-config vscode', 'the same as settings of an editor'],
  ],
  async run({ sources, 'print-config': client, quiet }, io) {
    if (client) {
      const { where, lines } = CLIENT_CONFIGS[client]
      const command = ['marc', 'mcp', ...sources.map((source) => resolve(source))]
      const text = escapeControlsButNewlines(lines(command, shellWord))
      await writeAll(io.stdout, [safe`${text}\n`])
      if (io.stderr.isTTY && !quiet)
        io.stderr.write(safe`this goes into ${escapeControlsButNewlines(where)}\n`)
      return 0
    }
    const databases: string[] = []
    for (const source of sources) {
      databases.push(await databasePath(source, io, { quiet, contents: 'all', writes: true }))
    }
    // Other commands do without the package of the protocol.
    const { serveMcp } = await import('../../mcp/serve-mcp.ts')
    const output = io.stdout as unknown as Writable
    await serveMcp(databases, { input: io.stdin, output, signal: io.signal })
    return 0
  },
})
