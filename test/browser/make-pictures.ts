/** Makes the pictures of the README: a page, and a terminal. `npm run pictures`; see README.md in this folder. */

import { execFileSync } from 'node:child_process'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { html } from '../../src/pages/html.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { loadSamples } from '../support/web.ts'
import { servePages, startBrowser } from './browser.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SAMPLES = join(ROOT, 'samples')

/** A page without emoji, which each system draws in its own way. */
const PAGE = '/harbour-lights/tidewatch/pull/5'

const COMMANDS = [
  ['query', 'hello.db', '-t', 'SELECT number, state, title FROM threads LIMIT 6'],
  [
    'query',
    'hello.db',
    '--chart',
    'SELECT user_login, count(*) AS threads FROM threads GROUP BY 1 ORDER BY 2 DESC',
  ],
]

const LINE = 20
const PADDING = 20
/** Pixels of a character of the font, whose size is 14. */
const CHARACTER = 8.43

const { folder, paths } = await loadSamples()
const browser = await startBrowser()
try {
  await writeFile(join(SAMPLES, 'terminal.svg'), terminal(COMMANDS.map(runCommand).join('\n\n')))
  for (const path of paths) await updateIndexAt(path)
  const { origin, close } = await servePages(paths)
  const page = await browser.newPage({
    colorScheme: 'light',
    timezoneId: 'UTC',
    viewport: { width: 1180, height: 820 },
  })
  await page.goto(origin + PAGE)
  await page.screenshot({ path: join(folder, 'page.png') })
  await copyFile(join(folder, 'page.png'), join(SAMPLES, 'page.png'))
  await close()
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}

/** A command as people type it, and what it prints. */
function runCommand(words: readonly string[]): string {
  const typed = words.map((word) => (/^[\w.-]+$/.test(word) ? word : `"${word}"`)).join(' ')
  const printed = execFileSync(execPath, [join(ROOT, 'src/bin.ts'), ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  return `$ marc ${typed}\n${printed.trimEnd()}`
}

/** Text as a picture of a terminal, in which it stays text. Ordinary spaces in a row would be drawn as one. */
function terminal(text: string): string {
  const lines = text.split('\n')
  const longest = Math.max(...lines.map((line) => line.length))
  const width = Math.ceil(longest * CHARACTER) + 2 * PADDING
  const height = lines.length * LINE + 2 * PADDING
  const rows = lines.map((line, i) => {
    const color = line.startsWith('$ ') ? '#6bb0ff' : '#e4e9f0'
    return html`<text x="${PADDING}" y="${PADDING + 14 + i * LINE}" fill="${color}">${line.replaceAll(' ', '\u00a0')}</text>\n`
  })
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>Two commands in a terminal and their output</title>
<rect width="100%" height="100%" rx="8" fill="#0f141a"/>
${rows}</svg>`}\n`
}
