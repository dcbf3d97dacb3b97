import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copySamples } from '../../support/load-once.ts'
import { BINARY, COMPILE_CACHE, inFolder, run } from '../../support/run-command.ts'

describe('marc mcp', () => {
  test('answers a client that starts it, over its standard streams, and ends with it', async () => {
    inFolder()
    await copySamples('samples.db')
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, 'mcp', 'samples.db'],
      env: { ...COMPILE_CACHE },
    })
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(transport)
    expect(client.getServerVersion()).toMatchObject({ name: 'marc' })
    const { structuredContent } = await client.callTool({ name: 'list_repositories' })
    expect(structuredContent).toMatchObject({ total: 3 })
  })

  test('prints what each client needs to start it', async () => {
    const folder = inFolder()
    const printed = async (client: string) =>
      (await run(['mcp', 'a b.db', '--print-config', client])).stdout
    const path = `${folder}/a b.db`
    const server = { command: 'marc', args: ['mcp', path] }
    expect(await printed('claude-code')).toBe(`claude mcp add archive -- marc mcp '${path}'\n`)
    expect(JSON.parse(await printed('claude-desktop'))).toEqual({ mcpServers: { archive: server } })
    expect(JSON.parse(await printed('cursor'))).toEqual({ mcpServers: { archive: server } })
    expect(JSON.parse(await printed('vscode'))).toEqual({
      servers: { archive: { type: 'stdio', command: 'marc', args: ['mcp', path] } },
    })
    expect(await printed('codex')).toBe(
      `[mcp_servers.archive]\ncommand = "marc"\nargs = ["mcp", "${path}"]\n`,
    )
  })

  test('ends when its standard input does', async () => {
    inFolder()
    await copySamples('samples.db')
    expect(await run(['mcp', 'samples.db'], { stdin: '' })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })
})
