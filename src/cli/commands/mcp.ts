import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { CLIENT_CONFIGS } from '../../mcp/client-configs.ts'
import { defineCommand } from '../command/command.ts'
import { safe } from '../command/safe-text.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'
import { PROGRESS_OPTIONS } from '../options/shared-options.ts'
import { escapeControls, escapeControlsButNewlines } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { databasePaths } from '../sources/open-readable.ts'
import { stateOf } from '../sources/state-of.ts'

const CLIENTS = Object.keys(CLIENT_CONFIGS) as (keyof typeof CLIENT_CONFIGS)[]

export const mcp = defineCommand({
  usage: '<sources..>',
  options: {
    sources: {
      type: 'string',
      array: true,
      demandOption: true,
      foreign: true,
      describe: 'Databases, archives or folders of them, read as one',
    },
    http: {
      value: '<port>',
      describe: 'Answer over HTTP at this port of 127.0.0.1; 0 for any free one',
    },
    'token-file': {
      value: '<file>',
      describe: 'With --http: only who sends the token in this file sees what is private',
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

With --http clients connect to the printed address. Without --token-file they
see everything if they run under your account; other accounts of this machine
see what a stranger may see. Pages of other sites are refused.

Texts of an archive are other people's words. Answers keep them apart from
those of marc, and show control and bidi characters as escapes.`,
  examples: [
    ['marc mcp samples/hello.tar.gz --print-config claude-code', 'the line that adds it'],
    ['marc mcp hello.db --print-config vscode', 'the same as settings of an editor'],
  ],
  async run({ sources, http, 'print-config': client, 'token-file': tokenFile, quiet }, io) {
    if (http === undefined && tokenFile !== undefined)
      throw new UsageError('--token-file goes with --http')
    // Messages over streams do without a server.
    const place = http === undefined ? undefined : await placeOf(http, tokenFile)
    if (client) {
      const { where, lines } = CLIENT_CONFIGS[client]
      const command = ['marc', 'mcp', ...sources.map((source) => resolve(source))]
      const text = escapeControlsButNewlines(lines(command, shellWord))
      await writeAll(io.stdout, [safe`${text}\n`])
      if (io.stderr.isTTY && !quiet)
        io.stderr.write(safe`this goes into ${escapeControlsButNewlines(where)}\n`)
      return 0
    }
    const reading = { quiet, contents: 'all', writes: true } as const
    const databases = await databasePaths(sources, io, reading)
    const indexes = await stateOf(sources)
    // Other commands do without the package of the protocol.
    if (place) {
      const { serveMcpHttp } = await import('../../mcp/serve-mcp-http.ts')
      const { url, close } = await serveMcpHttp(databases, { ...place, indexes })
      try {
        const isRead = await writeAll(io.stdout, [safe`${escapeControls(url)}\n`])
        if (isRead && io.signal && !io.signal.aborted) await once(io.signal, 'abort')
      } finally {
        await close()
      }
      return 0
    }
    const { serveMcp } = await import('../../mcp/serve-mcp.ts')
    const output = io.stdout as unknown as Writable
    await serveMcp(databases, { input: io.stdin, output, signal: io.signal, indexes })
    return 0
  },
})

/** The port and the token as typed. Throws `UsageError`. */
async function placeOf(http: string, tokenFile: string | undefined) {
  const { numberOf } = await import('../options/serving-options.ts')
  const { readTokenFile } = await import('../options/client-options.ts')
  const token = tokenFile === undefined ? undefined : readTokenFile(tokenFile)
  return { port: numberOf('http', http, { max: 65_535 }), token }
}
