#!/usr/bin/env node
// Git runs this program for addresses such as `marc::archive.db#owner/name`.
process.argv.splice(2, 0, '__remote')
await import('./bin.ts')
