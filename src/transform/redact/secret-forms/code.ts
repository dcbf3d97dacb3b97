import { form, type SecretForm } from './form.ts'

const GITHUB =
  'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/'
const ARTIFACTORY =
  'https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens'
const ATLASSIAN = 'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens/'
const SENTRY = 'https://docs.sentry.io/account/auth-tokens/'
const SONAR = 'https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/'
const SOURCEGRAPH = 'https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token'

/** Tokens of hosts of code and packages, and of programs that build and watch it. */
export const CODE: readonly SecretForm[] = [
  ...form('artifactory-key', ['AKCp'], '[A-Za-z0-9]{69}', ARTIFACTORY),
  ...form('artifactory-token', ['cmVmdGtu'], '[A-Za-z0-9]{56}', ARTIFACTORY),
  ...form(
    'asp-net-data',
    ['CfDJ8'],
    '[A-Za-z0-9_-]{60,4000}',
    'https://learn.microsoft.com/aspnet/core/security/data-protection/implementation/authenticated-encryption-details',
  ),
  ...form(
    'atlassian-token',
    ['ATATT3x', 'ATCTT3x', 'ATSTT3x'],
    '[A-Za-z0-9_=-]{50,400}',
    ATLASSIAN,
  ),
  ...form('bitbucket-password', ['ATBB'], '[A-Za-z0-9]{32}', ATLASSIAN),
  ...form(
    'buildkite-token',
    ['bkua_'],
    '[0-9a-f]{40}',
    'https://buildkite.com/docs/apis/managing-api-tokens',
  ),
  ...form(
    'circleci-token',
    ['CCIPAT_', 'CCIPRJ_'],
    '[A-Za-z0-9]{22}_[0-9a-f]{40}',
    'https://circleci.com/docs/managing-api-tokens/',
  ),
  ...form(
    'clojars-token',
    ['CLOJARS_'],
    '[0-9a-z]{60}',
    'https://github.com/clojars/clojars-web/wiki/Deploy-Tokens',
  ),
  ...form(
    'crates-token',
    ['cio'],
    '[A-Za-z0-9]{32}',
    'https://doc.rust-lang.org/cargo/reference/publishing.html',
  ),
  ...form(
    'docker-token',
    ['dckr_pat_', 'dckr_oat_'],
    '[A-Za-z0-9_-]{27,32}',
    'https://docs.docker.com/security/access-tokens/',
  ),
  ...form(
    'endor-token',
    ['endr+'],
    '[A-Za-z0-9-]{16}',
    'https://docs.endorlabs.com/administration/api-keys/',
  ),
  ...form('github-token', ['ghp_', 'gho_', 'ghu_', 'ghr_'], '[A-Za-z0-9]{36,255}', GITHUB),
  // Tokens of installations may also have the id of the app and a JSON web token.
  ...form(
    'github-token',
    ['ghs_'],
    '(?:[A-Za-z0-9]{36,255}|\\d{1,20}_[\\w-]{1,1000}\\.[\\w-]{1,10000}\\.[\\w-]{1,1000})',
    GITHUB,
  ),
  ...form('github-token', ['github_pat_'], '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}', GITHUB),
  ...form(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glcbt-',
      'glsoat-',
      'glft-',
      'glagent-',
      'glimt-',
      'gloas-',
      'glffct-',
      'glwt-',
      'GR1348941',
    ],
    '[A-Za-z0-9_.-]{20,300}',
    'https://docs.gitlab.com/security/tokens/',
  ),
  ...form(
    'harness-token',
    ['pat.'],
    '[A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}',
    'https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys/',
  ),
  ...form(
    'jetbrains-token',
    ['perm-', 'perm:'],
    '[A-Za-z0-9+/=]{4,100}\\.[A-Za-z0-9+/=]{2,60}\\.[A-Za-z0-9]{20,40}',
    'https://www.jetbrains.com/help/youtrack/devportal/Manage-Permanent-Token.html',
  ),
  ...form('linear-key', ['lin_api_'], '[A-Za-z0-9_]{32,128}', 'https://linear.app/developers'),
  ...form('npm-token', ['npm_'], '[A-Za-z0-9]{36}', 'https://docs.npmjs.com/about-access-tokens'),
  ...form(
    'nuget-key',
    ['oy2'],
    '[a-z0-9]{43}',
    'https://learn.microsoft.com/nuget/nuget-org/publish-a-package',
  ),
  ...form(
    'open-vsx-token',
    ['ovsxp_'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://github.com/eclipse/openvsx/wiki/Publishing-Extensions',
  ),
  ...form(
    'packagist-token',
    ['packagist_'],
    '[a-z]{3}_[0-9a-f]{60,70}',
    'https://packagist.com/docs/composer-authentication',
  ),
  ...form(
    'postman-key',
    ['PMAK-'],
    '[0-9a-f]{24}-[0-9a-f]{34}',
    'https://learning.postman.com/docs/reference/postman-api/authentication/',
  ),
  ...form(
    'postman-token',
    ['PMAT-'],
    '[A-Z0-9]{26}',
    'https://learning.postman.com/docs/administration/token-scanner/',
  ),
  ...form(
    'pypi-token',
    ['pypi-'],
    '(?:AgEIcHlwaS5vcmc|AgENdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{50,1000}',
    'https://pypi.org/help/#apitoken',
  ),
  ...form('readme-key', ['rdme_'], '[a-z0-9]{70}', 'https://docs.readme.com/main/reference/intro'),
  ...form(
    'rubygems-key',
    ['rubygems_'],
    '[0-9a-f]{48}',
    'https://guides.rubygems.org/api-key-scopes/',
  ),
  ...form('sentry-token', ['sntrys_'], 'eyJ[A-Za-z0-9+/=_]{80,1000}', SENTRY),
  ...form('sentry-token', ['sntryu_', 'sntrya_'], '[0-9a-f]{64}', SENTRY),
  ...form(
    'snyk-token',
    ['snyk_uat.', 'snyk_sat.'],
    '[a-z0-9]{8}\\.[A-Za-z0-9_-]{6,40}\\.[A-Za-z0-9_-]{40,120}',
    'https://docs.snyk.io/snyk-api/authentication-for-api',
  ),
  ...form('sonar-token', ['squ_', 'sqp_', 'sqa_'], '[0-9a-f]{40}', SONAR),
  ...form('sourcegraph-token', ['sgp_'], '(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}', SOURCEGRAPH),
  ...form('sourcegraph-token', ['slk_', 'sgd_'], '[0-9a-f]{64}', SOURCEGRAPH),
  ...form('thunderstore-token', ['tss_'], '[A-Za-z0-9]{50}', 'https://wiki.thunderstore.io/'),
  ...form(
    'trello-token',
    ['ATTA'],
    '[0-9a-f]{64}',
    'https://developer.atlassian.com/cloud/trello/',
  ),
  ...form(
    'wakatime-key',
    ['waka_'],
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    'https://wakatime.com/developers#authentication',
  ),
]
