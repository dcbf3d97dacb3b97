import { isLoopback } from '../../rest/addresses.ts'

/**
 * Lists the settings by which forges that import from GitHub import from a server instead, one line each.
 *
 * @param url the address under which they reach the server
 * @param token one that may be shown
 */
export function describeImporters(url: string, token: string | undefined): string[] {
  const secret = token ?? 'TOKEN'
  const { hostname, protocol } = new URL(url)
  const isOwn = isLoopback(hostname)
  return [
    'Forges that import from GitHub can import from this server. OWNER/NAME is a repository.',
    ...(token === undefined
      ? ['TOKEN is one of the accounts file (marc accounts token); public repositories need none.']
      : []),
    ...(isOwn
      ? [
          'Only programs on this machine reach it. For others, also in containers, add the name that they',
          'call it by: --bind 0.0.0.0 --host-name NAME, and --insecure or a certificate (--tls-cert).',
        ]
      : []),
    '',
    'Gitea, Forgejo: + > New Migration > GitHub',
    `  Migrate / Clone From URL   ${url}/OWNER/NAME`,
    `  Access Token               ${secret}`,
    '  They refuse addresses of local networks, unless their app.ini has:',
    '    [migrations]',
    '    ALLOW_LOCALNETWORKS = true',
    ...(protocol === 'https:'
      ? ['  and, for a certificate that no authority signed, SKIP_TLS_VERIFY = true']
      : []),
    '',
    'GitLab: one request, with a token of GitLab in $GITLAB_TOKEN and its address in $GITLAB',
    '  curl "$GITLAB/api/v4/import/github" --header "PRIVATE-TOKEN: $GITLAB_TOKEN" \\',
    `    --data github_hostname=${url} --data personal_access_token=${secret} \\`,
    '    --data repo_id=ID --data target_namespace=GROUP',
    `  ID is the id that ${url}/repos/OWNER/NAME answers.`,
    '  An administrator must allow, under Admin > Settings:',
    '    General > Import and export settings: GitHub as an import source',
    '    Network > Outbound requests: requests to the local network',
  ]
}
