"""Evaluation by parts: each is read, matched and cut by label; then the labels are added up one by one."""
