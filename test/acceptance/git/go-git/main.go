// Clones a repository with go-git: address, folder.
package main

import (
	"fmt"
	"os"

	"github.com/go-git/go-git/v5"
)

func main() {
	_, err := git.PlainClone(os.Args[2], true, &git.CloneOptions{URL: os.Args[1]})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
