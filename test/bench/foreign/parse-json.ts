// node parse-json.ts FOLDER: reads all files of JSON in a folder and parses them, the least that a reader of them can do.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = join(folder, path)
  if (path.endsWith('.json')) JSON.parse(readFileSync(file, 'utf8'))
  if (!path.endsWith('.ndjson')) continue
  for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
}
