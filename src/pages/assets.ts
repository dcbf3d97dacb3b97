import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const read = import.meta.url.endsWith('.ts') ? bundled() : built

/** The files that all pages load from us, each with a path that changes with its content. */
export const ASSETS = {
  style: asset('style.css', 'text/css; charset=utf-8'),
  script: asset('page.js', 'text/javascript; charset=utf-8'),
  /** Loaded by the search page of a site alone. */
  search: asset('search.js', 'text/javascript; charset=utf-8'),
  icon: asset('icon.svg', 'image/svg+xml'),
} as const

function asset(file: string, type: string) {
  const bytes = read(file)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  return { path: `/-/assets/${file.replace('.', `.${hash}.`)}`, type, bytes }
}

function built(file: string): Buffer {
  return readFileSync(new URL(`assets/${file}`, import.meta.url))
}

/** Who runs the sources has the bundler; the package has neither. */
function bundled(): typeof built {
  const bundler: { bundleAssets(): Map<string, Buffer> } = createRequire(import.meta.url)(
    './bundle-assets.ts',
  )
  const files = bundler.bundleAssets()
  return (file) => files.get(file) as Buffer
}
