# The dialogues of Pithub and Net::GitHub, two clients in Perl: lists over pages, threads, releases, Git data.
use strict;
use warnings;
use Net::GitHub::V3;
use Pithub;

my ($base, $token) = @ENV{qw(BASE TOKEN)};
my ($user, $repo) = qw(mona-lindqvist tea-timer);
my $count = 0;

sub expect {
    my ($what, $is_so) = @_;
    die "$what\n" unless $is_so;
    $count++;
}

my $pithub = Pithub->new(
    api_uri         => $base,
    token           => $token,
    user            => $user,
    repo            => $repo,
    auto_pagination => 1,
);

sub all {
    my ($result) = @_;
    die $result->response->status_line . "\n" unless $result->success;
    my @rows;
    while (my $row = $result->next) { push @rows, $row }
    return @rows;
}

expect 'the caller', $pithub->users->get->content->{login} eq $user;
expect 'a repository', $pithub->repos->get->content->{full_name} eq "$user/$repo";
my @issues = all($pithub->issues->list(params => { state => 'all', per_page => 2 }));
expect 'issues on several pages', @issues == 9;
expect 'each once', 9 == keys %{ { map { $_->{id} => 1 } @issues } };
expect 'comments', all($pithub->issues->comments->list(issue_id => $issues[0]{number})) >= 0;
expect 'events', all($pithub->issues->events->list(params => { per_page => 20 })) > 30;
expect 'labels', all($pithub->issues->labels->list) > 0;
expect 'milestones', all($pithub->issues->milestones->list(params => { state => 'all' })) == 2;
my @pulls = all($pithub->pull_requests->list(params => { state => 'all' }));
expect 'pull requests', @pulls == 4;
expect 'releases', all($pithub->repos->releases->list) > 0;
expect 'branches', all($pithub->repos->branches) > 0;
my ($commit) = all($pithub->repos->commits->list);
expect 'a commit', length $commit->{sha} == 40;
my $tree = $pithub->git_data->trees->get(sha => $commit->{sha}, params => { recursive => 1 });
my ($readme) = grep { $_->{path} eq 'README.md' } @{ $tree->content->{tree} };
expect 'a tree', defined $readme;
my $blob = $pithub->git_data->blobs->get(sha => $readme->{sha});
expect 'a blob', $blob->content->{encoding} eq 'base64';
expect 'contents', $pithub->repos->contents->readme->content->{path} eq 'README.md';
my $archive = $pithub->repos->contents->archive(archive_format => 'tarball', ref => 'main');
expect 'the files of a branch', substr($archive->raw_content, 0, 2) eq "\x1f\x8b";

my $net = Net::GitHub::V3->new(api_url => $base, access_token => $token);
$net->set_default_user_repo($user, $repo);
expect 'a person', $net->user->show($user)->{login} eq $user;
my @found = $net->issue->repos_issues({ state => 'all' });
push @found, $net->issue->next_page while $net->issue->has_next_page;
expect 'the same issues', @found == 9;
expect 'a thread', $net->issue->issue($found[0]{number})->{title} eq $found[0]{title};
expect 'the same pull requests', (() = $net->pull_request->pulls({ state => 'all' })) == 4;
expect 'tags', (() = $net->repos->tags) > 0;
expect 'refs', (() = $net->git_data->refs) > 0;
print "$count\n";
