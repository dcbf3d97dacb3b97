/** Clones a repository with isomorphic-git: address, folder. */

import fs from 'node:fs'
import git from 'isomorphic-git'
import http from 'isomorphic-git/http/node'

const [, , url = '', gitdir = ''] = process.argv
await git.clone({ fs, http, url, gitdir, dir: gitdir, noCheckout: true })
