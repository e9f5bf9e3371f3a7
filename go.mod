module github.com/ringonce/ringonce

go 1.26
