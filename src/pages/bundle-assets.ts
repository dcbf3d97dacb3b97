import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'

/**
 * Makes of the sources in `assets/` the files that browsers load, by name. Each script is a classic one: browsers load no
 * modules from a disk. It is no part of the package, which has the files.
 */
export function bundleAssets(): Map<string, Buffer> {
  const { outputFiles } = buildSync({
    absWorkingDir: join(import.meta.dirname, 'assets'),
    entryPoints: ['style.css', 'page.ts', 'search.ts', 'icon.svg'],
    outdir: 'out',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    loader: { '.svg': 'copy' },
    logLevel: 'error',
  })
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]))
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../../dist/pages/assets')
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of bundleAssets()) writeFileSync(join(folder, file), content)
}
