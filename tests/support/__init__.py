"""What several tests need: the kernel and pycocotools called in one line, the command line run as a user runs it."""
