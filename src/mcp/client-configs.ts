/** How each program with an assistant is told to start a server. */

/** What to paste, and where. */
export interface ClientConfig {
  readonly where: string
  readonly lines: (command: readonly string[], quote: (word: string) => string) => string
}

/** The name of the server in the settings of a client. */
const NAME = 'archive'

const asJson = (key: string, more: object = {}): ClientConfig['lines'] => {
  return ([command, ...args]) =>
    JSON.stringify({ [key]: { [NAME]: { ...more, command, args } } }, null, 2)
}

export const CLIENT_CONFIGS = {
  'claude-desktop': { where: 'claude_desktop_config.json', lines: asJson('mcpServers') },
  'claude-code': {
    where: 'a shell',
    lines: (command, quote) => `claude mcp add ${NAME} -- ${command.map(quote).join(' ')}`,
  },
  vscode: { where: '.vscode/mcp.json', lines: asJson('servers', { type: 'stdio' }) },
  cursor: { where: '.cursor/mcp.json', lines: asJson('mcpServers') },
  codex: {
    where: '~/.codex/config.toml',
    // A string of JSON is one of TOML.
    lines: ([command, ...args]) =>
      `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
  },
} as const satisfies Record<string, ClientConfig>
